/** The invitation page without a browser: structure, labels, contrast, languages. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RequestEntityTooLargeError } from '../../shared/foundation/errors.ts';
import type { Settings } from '../../shared/foundation/settings.ts';
import { acceptedPage, deadPage, expiredPage, failedPage, formPage } from '../../shared/invites/page.ts';
import { answerFailed } from '../../shared/invites/page-answer.ts';
import { colours, contrast, textOn } from '../../shared/publication/colours.ts';
import { de } from '../../shared/publication/languages/de.ts';
import { dePages } from '../../shared/publication/languages/de-pages.ts';
import { en } from '../../shared/publication/languages/en.ts';
import { enPages } from '../../shared/publication/languages/en-pages.ts';
import { invite, publication } from '../support/invitation.ts';
import { seenText } from '../support/seen-text.ts';

const consoleUrl = 'https://api.example.org/ghost/api/console/';

describe('the invitation page', () => {
  const pages = (of: Settings['publication']): string[] => [
    formPage(of, invite()),
    formPage(of, invite(), { name: 'x', problem: 'missing' }),
    acceptedPage(of, invite(), 'Ada', consoleUrl),
    ...(['unknown', 'used', 'revoked', 'superseded'] as const).map((state) => deadPage(of, state, consoleUrl)),
    expiredPage(of, invite()),
    ...(['too large', 'unreadable', 'ours'] as const).map((failure) => failedPage(of, failure)),
  ];

  it.each(['en', 'de'] as const)(
    'in %s declares its language, and has a title, one <main> and one <h1>',
    (language) => {
      for (const html of pages(publication({ language }))) {
        expect(html).toContain(`<html lang="${language}">`);
        expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
        expect(/<title>(.+)<\/title>/.exec(html)?.[1]).toContain('The Daily Owl');
        expect(html.match(/<main>/g)).toHaveLength(1);
        expect(html.match(/<h1>/g)).toHaveLength(1);
      }
    },
  );

  it.each(['en', 'de'] as const)('names the publication once in %s, above the form', (language) => {
    for (const logoUrl of [undefined, 'https://owl.example.org/logo.png']) {
      const html = formPage(publication({ language, logoUrl }), invite());
      const body = html.slice(html.indexOf('<body>'));
      expect(body.match(/The Daily Owl/g)).toHaveLength(1);
      expect(body.indexOf('The Daily Owl')).toBeLessThan(body.indexOf('<form'));
    }
  });

  it.each(['en', 'de'] as const)(
    'has in %s one button to the console, right after the welcome and later on',
    (language) => {
      const of = publication({ language });
      for (const html of [acceptedPage(of, invite(), 'Ada', consoleUrl), deadPage(of, 'used', consoleUrl)]) {
        const [, ...actions] = html.split(/<main>|<\/main>/)[1]?.split('<a class="action"') ?? [];
        expect(actions.map((action) => /^ href="([^"]+)">[^<]+<\/a>/.exec(action)?.[1])).toEqual([consoleUrl]);
      }
    },
  );

  it('welcomes a new member with the publication and the role', () => {
    expect(seenText(acceptedPage(publication(), invite(), 'Ada', consoleUrl))).toContain(
      "You've joined The Daily Owl as an Editor.",
    );
    expect(seenText(acceptedPage(publication(), invite({ role: 'Contributor' }), 'Ada', consoleUrl))).toContain(
      'as a Contributor.',
    );
    expect(seenText(acceptedPage(publication(), invite({ role: 'User' }), 'Ada', consoleUrl))).toContain('as a User.');
    expect(seenText(acceptedPage(publication({ language: 'de' }), invite(), 'Ada', consoleUrl))).toContain(
      'Ihre Rolle ist „Redaktion“.',
    );
  });

  it('links its label, hint and error to the field (WCAG 2.2, 1.3.1, 3.3.1, 3.3.2)', () => {
    const html = formPage(publication(), invite(), { name: '', problem: 'missing' });
    const described = /aria-describedby="([^"]*)"/.exec(html)?.[1]?.split(' ') ?? [];
    expect(described).toEqual(['name-hint', 'name-error']);
    for (const id of ['name', ...described]) expect(html.split(` id="${id}"`)).toHaveLength(2);
    expect(html).toContain('<label for="name">');
    expect(html).toContain('autocomplete="name"');
  });

  it('has a contrast of at least 7:1 for text and 3:1 for edges (WCAG 2.2, 1.4.6, 1.4.11)', () => {
    for (const palette of [colours.light, colours.dark])
      for (const background of [palette.card, palette.background]) {
        for (const text of [palette.text, palette.quiet, palette.error])
          expect(contrast(text, background)).toBeGreaterThanOrEqual(7);
        expect(contrast(palette.line, background)).toBeGreaterThanOrEqual(3);
      }
  });

  it('is readable with any accent colour of the publication (WCAG 2.2, 1.4.3)', () => {
    const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
    fc.assert(
      fc.property(colour, (accent) => {
        expect(contrast(accent, textOn(accent))).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

it.each([
  ['en', 'Your name is too long for this form', 'enter a shorter name'],
  ['de', 'Ihr Name ist zu lang für dieses Formular', 'geben Sie einen kürzeren Namen ein'],
] as const)('a form that is too large is answered in %s with the field and what to do', (language, title, advice) => {
  const { status, body } = answerFailed(publication({ language }), new RequestEntityTooLargeError('too large'));
  expect(status).toBe(413);
  expect(body).toContain(`<h1>${title}</h1>`);
  expect(body).toContain(advice);
});

describe('the languages', () => {
  it('have no empty texts', () => {
    const empty = (value: unknown, path: string): string[] => {
      if (typeof value === 'string') return value.trim() === '' ? [path] : [];
      if (typeof value === 'object' && value !== null)
        return Object.entries(value).flatMap(([key, inner]) => empty(inner, `${path}.${key}`));
      return [];
    };
    for (const language of [en, de]) expect(empty(language, language.tag)).toEqual([]);
    for (const texts of [enPages, dePages]) expect(empty(texts, 'pages')).toEqual([]);
  });

  it('have the same placeholders and functions', () => {
    const shape = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.length
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]))
          : typeof value;
    const { roles: _en, ...english } = en;
    const { roles: _de, ...german } = de;
    expect(shape(german)).toEqual(shape(english));
    expect(shape(dePages)).toEqual(shape(enPages));
  });
});
