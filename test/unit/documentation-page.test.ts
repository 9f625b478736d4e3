/** What the documentation page adds to the OpenAPI document: callers, samples, and tokens that it signs with a key. */
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { readToken, verifyToken } from '../../shared/http/token.ts';
import { type OpenApiDocument, presented, schemeName } from '../../web/docs/presented.ts';
import { samplesOf } from '../../web/docs/samples.ts';
import { tokenOf } from '../../web/token.ts';

const baseUrl = 'https://api.example.org/prod/ghost/api';

interface ShownOperation {
  readonly description: string;
  readonly 'x-codeSamples': readonly { readonly label: string; readonly source: string }[];
}

const source = openApiDocument() as unknown as OpenApiDocument;
const page = presented(source, baseUrl) as {
  readonly servers: unknown;
  readonly paths: Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>;
};
const operations = Object.entries(page.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

describe('the document on the page', () => {
  it('has the URL of the opened page as its only server', () => {
    expect(page.servers).toEqual([{ url: baseUrl }]);
  });

  it.each(operations)('names the callers of $method $path, and has samples for curl and Node.js', (shown) => {
    expect(shown.operation.description).toMatch(/^Callers: .+\.$/m);
    expect(shown.operation['x-codeSamples'].map(({ label }) => label)).toEqual(['curl', 'Node.js']);
    const url = new RegExp(`'${baseUrl}${shown.path.replaceAll('/', '\\/').replace(/\{\w+\}/g, "[^/']+")}(\\?[^']+)?'`);
    for (const { source } of shown.operation['x-codeSamples']) expect(source).toMatch(url);
  });

  it('offers keys but no sessions, and changes nothing else', () => {
    const [path = '', item = {}] = Object.entries(source.paths)[0] ?? [];
    const [method = '', operation] = Object.entries(item)[0] ?? [];
    const { description: _, 'x-codeSamples': __, ...rest } = page.paths[path]?.[method] ?? expect.fail();
    const { description: ___, ...original } = operation ?? expect.fail();
    expect(rest).toEqual({ ...original, security: [{ [schemeName]: [] }] });
  });
});

describe('a sample', () => {
  const body = { type: 'application/json', value: { invites: [{ name: "O'Neill \\ $HOME `id`" }] } };
  const sampleFor = (label: string) =>
    samplesOf({ method: 'POST', url: `${baseUrl}/admin/invites/`, needsKey: true, body }).find(
      (sample) => sample.label === label,
    )?.source ?? expect.fail();

  it('for curl quotes its body for the shell', () => {
    const [, sent = ''] = /--data ('[\s\S]*')$/.exec(sampleFor('curl')) ?? [];
    expect(JSON.parse(sent.slice(1, -1).replaceAll("'\\''", "'"))).toEqual(body.value);
    expect(sent.slice(1, -1).replaceAll("'\\''", '')).not.toContain("'");
  });

  it('for Node.js sends the request body as JSON', () => {
    const [, sent = ''] = /body: JSON\.stringify\(([\s\S]*)\),\n/.exec(sampleFor('Node.js')) ?? [];
    expect(JSON.parse(sent)).toEqual(body.value);
  });

  it('has no key if the endpoint needs no authentication', () => {
    for (const { source } of samplesOf({ method: 'GET', url: `${baseUrl}/admin/openapi.json`, needsKey: false }))
      expect(source).not.toMatch(/TOKEN|MASTHEAD_KEY|Authorization/);
  });
});

describe('a token signed in the browser', () => {
  const [id, secret] = ['0123456789abcdef01234567', 'ab'.repeat(32)];
  const now = Date.parse('2026-11-20T09:00:00Z');

  it('is accepted by the API for five minutes', async () => {
    const token = readToken(`Ghost ${await tokenOf(` ${id}:${secret}\n`, now)}`);
    expect(token.kid).toBe(id);
    expect(() => verifyToken(token, secret, now)).not.toThrow();
    expect(() => verifyToken(token, secret, now + 299_000)).not.toThrow();
    expect(() => verifyToken(token, secret, now + 301_000)).toThrow('expired');
  });

  it.each(['', id, `${id}:`, `${id}:${secret}0`, `${id.toUpperCase()}:${secret}`, 'Ghost eyJ'])(
    'is not created if the key is malformed: `%s`',
    async (text) => {
      expect(await tokenOf(text)).toBeUndefined();
    },
  );
});
