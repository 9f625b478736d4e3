/** Opens the documentation page and its operations. */
import type { Locator, Page } from 'playwright-core';

/** Opens the page and waits until the renderer has shown the document. */
export const openDocumentation = async (page: Page, baseUrl: string): Promise<void> => {
  await page.goto(`${baseUrl}/admin/docs/`);
  await page.getByRole('heading', { name: 'Keys and tokens' }).waitFor();
};

/** Shows an operation by its title, through the search. */
export const showOperation = async (page: Page, title: string): Promise<Locator> => {
  await page
    .getByRole('button', { name: /search/i })
    .first()
    .click();
  await page.locator('input:focus').fill(title);
  await page.getByRole('option', { name: title }).first().click();
  return sectionOf(page, title);
};

/** Opens the page at an operation, as a link to it does. */
export const openOperation = async (
  page: Page,
  { title, anchor }: { readonly title: string; readonly anchor: string },
): Promise<Locator> => {
  await page.goto(`${page.url().split('#', 1)[0]}#${anchor}`);
  await page.reload();
  return sectionOf(page, title);
};

const sectionOf = async (page: Page, title: string): Promise<Locator> => {
  const heading = page.getByRole('heading', { name: title });
  await heading.waitFor();
  return page.locator('section', { has: heading }).last();
};
