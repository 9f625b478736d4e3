/** The recipes: every request in them is accepted, and every shown result is right. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { newPreview, previewOf } from '../../shared/deliveries/log/preview.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { changedOptions, checkOptions, optionsChanges } from '../../shared/webhooks/options.ts';
import { noOptions } from '../../shared/webhooks/options-resource.ts';
import { newWebhookOf } from '../../shared/webhooks/schema.ts';
import { serviceRules } from '../support/service-rules.ts';
import { settingsText } from '../support/settings-text.ts';

process.env.SETTINGS = settingsText();

const folder = join(import.meta.dirname, '../../docs/recipes');
const rules = { ownEvents: [], targets: { allowHttp: false, allowRanges: [] } };

/** The lines of JSON in the code blocks of a page, and what its commands send. */
const jsonIn = (page: string): object[] =>
  [...readFileSync(join(folder, page), 'utf8').matchAll(/^ *```(?:json|sh)\n([\s\S]*?)^ *```/gm)].flatMap(
    ([, block = '']) =>
      block
        .split('\n')
        .flatMap((line) => /-d '(.*)'/.exec(line)?.[1] ?? line.trim())
        .filter((line) => /^[[{]/.test(line))
        .map((line) => JSON.parse(line)),
  );

const pages = readdirSync(folder).filter((page) => page !== 'README.md');

it.each(pages)('every request in %s is accepted', (page) => {
  const found = jsonIn(page);
  for (const body of found) {
    const { webhooks, previews, options } = body as Record<string, [unknown] | undefined>;
    if (webhooks !== undefined) {
      const { options: sent = {}, ...webhook } = v.parse(
        newWebhookOf(rules, 'a'.repeat(24) as IntegrationId),
        webhooks[0],
      );
      checkOptions(changedOptions(noOptions, sent, ''), webhook, '');
    }
    if (previews !== undefined)
      expect(previewOf(v.parse(newPreview(rules), previews[0]), 0)).toMatchObject({ matched: true });
    if (options !== undefined) changedOptions(noOptions, v.parse(optionsChanges, options[0]), '');
  }
  expect(found.length).toBeGreaterThan(1);
});

it('meilisearch.md shows the requests that really arrive', () => {
  const preview = (event: string) => {
    const target_url = 'https://search.example.com/indexes/posts/documents';
    const options = { format: { type: 'meilisearch', api_key: null } };
    return JSON.parse(previewOf(v.parse(newPreview(rules), { event, target_url, options }), 0).body);
  };
  expect(jsonIn('meilisearch.md').slice(-2)).toEqual([preview('post.published'), preview('post.deleted')]);
});

it('service-rules.md in lab/reports lists the rules that the tests enforce, with their sources', () => {
  const rows = Object.entries(serviceRules).flatMap(([format, rules]) =>
    rules.map(({ rule, documentation }) => `| \`${format}\` | ${rule} | [documentation](${documentation}) |`),
  );
  const page = readFileSync(join(import.meta.dirname, '../../lab/reports/service-rules.md'), 'utf8');
  expect(page.split('\n').filter((line) => line.includes('[documentation]('))).toEqual(rows);
});

it.each(pages)('%s has a picture of the result', (page) => {
  const [, picture = ''] = /!\[[^\]]+\]\(([^)]+\.png)\)/.exec(readFileSync(join(folder, page), 'utf8')) ?? [];
  expect(statSync(join(folder, picture)).size).toBeLessThan(40 * 1024);
});
