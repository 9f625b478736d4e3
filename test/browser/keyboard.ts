/** Uses a page as a person does who has a keyboard only. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Returns the name of the focused control; an empty one for the page and for a whole view. */
const focusedName = `(() => {
  const focused = document.activeElement;
  if (focused === null || focused === document.body || focused.id === 'content') return '';
  if (focused.localName === 'wa-dialog') return 'the close button';
  const label = focused.labels?.[0];
  const name = focused.getAttribute('aria-label') ?? focused.label ?? (label?.querySelector('span') ?? label ?? focused).textContent;
  return name.replace(/\\s+/g, ' ').trim();
})()`;

/** Returns whether the focused control, or what is around it, is drawn with an outline or a shadow. */
const isFocusVisible = `(() => {
  let inner = document.activeElement;
  while (inner.shadowRoot?.activeElement) inner = inner.shadowRoot.activeElement;
  for (let around = inner, steps = 0; around !== null && steps < 5; steps++) {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(around);
    if ((outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none') return true;
    around = around.parentElement ?? around.getRootNode().host ?? null;
  }
  return false;
})()`;

/** More than any view has controls. */
const maxPresses = 200;

/** In ms: a control can appear only after an answer, which takes long on a busy machine. */
const patience = 45_000;

/** Waits, as a person does, until the page is drawn: what takes the focus when it appears has taken it then. */
const drawn = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))';

const matches = (name: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? name === wanted : wanted.test(name);

export interface Keyboard {
  focused(): Promise<string>;
  /** Presses Tab until a control has the focus, which must be visible. */
  tabTo(name: string | RegExp): Promise<void>;
  press(name: string | RegExp, key?: 'Enter' | 'Space'): Promise<void>;
  /** Goes to a field and replaces its content; in a selection, chooses what begins with the text. */
  type(name: string | RegExp, text: string): Promise<void>;
  /** Opens a dialog by a button and waits until the focus is in it. */
  open(button: string | RegExp): Promise<void>;
  /** Presses a button of the open dialog and waits until the dialog has closed. */
  close(button: string): Promise<void>;
  choose(menu: string, entry: string): Promise<void>;
  /** Opens the menu of a row and chooses an action, which opens a dialog; waits until the focus is in it. */
  pick(menu: string, action: string): Promise<void>;
}

export const keyboardOf = (page: Page): Keyboard => {
  const focused = async (): Promise<string> => String(await page.evaluate(focusedName));
  const step = async (key: 'Tab' | 'ArrowDown', wanted: string | RegExp): Promise<void> => {
    const passed = new Set<string>();
    const until = performance.now() + patience;
    await page.evaluate(drawn);
    while (performance.now() < until) {
      const name = await focused();
      if (matches(name, wanted)) return;
      passed.add(name);
      await page.keyboard.press(key);
    }
    throw new Error(`${key} does not reach ${wanted}, only ${[...passed].join(' | ')}`);
  };
  const tabTo = async (wanted: string | RegExp): Promise<void> => {
    await step('Tab', wanted);
    expect(await page.evaluate(isFocusVisible), `a visible focus on ${wanted}`).toBe(true);
  };
  const press: Keyboard['press'] = async (name, key = 'Enter') => {
    await tabTo(name);
    await page.keyboard.press(key);
  };
  const dialog = page.locator('wa-dialog');
  // A menu that has opened focuses its first entry, also when the arrow keys were used before.
  const menuHasFocus = (): Promise<unknown> => page.evaluate("document.activeElement.localName === 'wa-dropdown-item'");
  const isInDialog = (): Promise<unknown> => page.evaluate("document.activeElement.closest('wa-dialog') !== null");
  return {
    focused,
    tabTo,
    press,
    async type(name, text) {
      await tabTo(name);
      if (!(await page.evaluate("document.activeElement.localName === 'select'")))
        await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
    },
    async open(button) {
      await press(button);
      await expect.poll(isInDialog).toBe(true);
    },
    async close(button) {
      await press(button);
      await dialog.waitFor({ state: 'detached' });
    },
    async pick(menu, action) {
      await press(menu);
      await page.getByRole('menuitem', { name: action }).and(page.locator(':visible')).first().waitFor();
      await expect.poll(menuHasFocus).toBe(true);
      await step('ArrowDown', action);
      await page.keyboard.press('Enter');
      await expect.poll(isInDialog).toBe(true);
    },
    async choose(menu, entry) {
      const item = page.getByRole('menuitemcheckbox', { name: entry });
      await press(menu);
      await item.waitFor();
      await expect.poll(menuHasFocus).toBe(true);
      await step('ArrowDown', entry);
      await page.keyboard.press('Enter');
      await item.waitFor({ state: 'hidden' });
    },
  };
};

/** The controls of a view. Of the options of one choice, one is enough: the arrow keys reach the others. */
const controls = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, wa-button, [tabindex="0"]')]
  .filter((one) => one.checkVisibility() && !one.disabled && one.closest('wa-dropdown') === null && !one.matches('.skip'))`;

/** Returns the controls that Tab does not reach, and those on which the focus cannot be seen. */
export const unreachedControls = async (page: Page): Promise<string[]> => {
  // Those of the frame were reached in the view before.
  await page.evaluate(
    `document.querySelectorAll('[data-reached]').forEach((one) => one.removeAttribute('data-reached'))`,
  );
  await page.evaluate(`${controls}.forEach((one) => one.setAttribute('data-control', ''))`);
  const invisible: string[] = [];
  for (let presses = 0; presses < maxPresses; presses++) {
    await page.keyboard.press('Tab');
    const state = await page.evaluate(`(() => {
      const focused = document.activeElement;
      // Between the last control and the first one.
      if (focused === document.body) return 'page';
      // A field for a time has several stops.
      const isSame = focused === window.lastFocused;
      window.lastFocused = focused;
      if (focused.dataset.reached === '') return isSame ? 'visible' : 'again';
      focused.dataset.reached = '';
      return ${isFocusVisible} ? 'visible' : focused.outerHTML.slice(0, 120);
    })()`);
    if (state === 'again') break;
    if (state !== 'page' && state !== 'visible') invisible.push(`no visible focus: ${state}`);
  }
  const missed = await page.evaluate(`[...document.querySelectorAll('[data-control]:not([data-reached])')]
    .filter((one) => one.type !== 'radio' || document.querySelector('[name=' + one.name + '][data-reached]') === null)
    .map((one) => 'not reached: ' + one.outerHTML.slice(0, 120))`);
  return [...invisible, ...(missed as string[])];
};
