/** Each field of a webhook at its limits, and the `details` of violations (docs/compatibility.md, "Webhooks"). */
import { beforeAll, describe, expect, it } from 'vitest';
import { ghostEvents } from '../../shared/foundation/event-names.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack, type SeededKeys } from '../support/parts.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack({ targets: {}, ownEvents: ['shop.order.paid'] });
const { create, update, existing } = webhookCalls(stack);
let keys: SeededKeys;
beforeAll(async () => {
  keys = await stack.seed();
});

const good = () => ({ event: 'site.changed', target_url: newUrl() });
const refused = async (webhook: object, property: string) =>
  expectRefusal(await create({ ...good(), ...webhook }, keys.integration), {
    status: 422,
    type: 'ValidationError',
    property,
  });

describe('the field event', () => {
  it("accepts Ghost's 29 names, the stage's own names, and Masthead's names", async () => {
    expect(ghostEvents).toHaveLength(29);
    for (const event of [...ghostEvents, 'shop.order.paid', 'delivery.failed'])
      expect((await create({ ...good(), event }, keys.integration)).status, event).toBe(201);
  });

  it.each([
    ['post.publish', 'post.published'],
    ['Post.Published', 'post.published'],
    ['posts.added', 'post.added'],
    ['member.added ', 'member.added'],
    ['shop.order.payed', 'shop.order.paid'],
    ['page.tags.attached', 'page.tag.attached'],
  ])('returns 422 for %s and lists similar names, %s first', async (event, near) => {
    const error = await refused({ event }, 'event');
    expect(error.message.startsWith(`\`event\` ${JSON.stringify(event)} does not exist; did you mean ${near}`)).toBe(
      true,
    );
    expect(error.details).toEqual([
      {
        index: 0,
        field: 'event',
        rule: 'known_event',
        limit: null,
        received: `a string of ${event.length} characters`,
      },
    ]);
  });

  it.each(['', 'nonsense', '__proto__', 'constructor'])(
    'returns 422 for %j and lists all names, because none is similar',
    async (event) => {
      const error = await refused({ event }, 'event');
      expect(error.message).toContain('post.published.edited');
    },
  );

  it.each([
    ['absent', undefined, { rule: 'required', limit: null, received: 'missing' }],
    ['null', null, { rule: 'type', limit: 'string', received: 'null' }],
    ['a number', 7, { rule: 'type', limit: 'string', received: 'a number' }],
    ['an array', ['post.added'], { rule: 'type', limit: 'string', received: 'an array of 1' }],
    ['an object', { name: 'post.added' }, { rule: 'type', limit: 'string', received: 'an object' }],
    ['1001 characters', 'x'.repeat(1001), { rule: 'max_length', limit: 1000, received: 'a string of 1001 characters' }],
  ])('returns 422 if it is %s', async (_, event, failure) => {
    const error = await refused({ event }, 'event');
    expect(error.message).toContain('`event`');
    expect(error.details).toEqual([{ index: 0, field: 'event', ...failure }]);
  });
});

describe('the field target_url', () => {
  const longest = `${newUrl()}/`.padEnd(2000, 'x');

  it('has at most 2000 characters', async () => {
    expect((await create({ ...good(), target_url: longest }, keys.integration)).status).toBe(201);
    const error = await refused({ target_url: `${longest}x` }, 'target_url');
    expect(error.details).toEqual([
      { index: 0, field: 'target_url', rule: 'max_length', limit: 2000, received: 'a string of 2001 characters' },
    ]);
  });

  it.each([
    ['http://example.com/', 'scheme', 'https:'],
    ['ftp://example.com/', 'scheme', 'https:'],
    ['javascript:alert(1)', 'scheme', 'https:'],
    ['/relative/hook', 'url', null],
    ['example.com/hook', 'url', null],
    ['https://', 'url', null],
    ['https:example.com', 'url', null],
    ['https://exa mple.com/', 'url', null],
    ['https://example.com/a b', 'url', null],
    ['https://user:password@example.com/', 'userinfo', null],
    ['https://user@example.com/', 'userinfo', null],
    ['https://localhost/', 'host', null],
    ['https://intranet/', 'host', null],
    ['https://db.internal/', 'host', null],
    ['https://printer.local/', 'host', null],
    ['https://me.localhost/', 'host', null],
    ['https://nas.home.arpa/', 'host', null],
    ['https://127.0.0.1/', 'host', null],
    ['https://2130706433/', 'host', null],
    ['https://0x7f.1/', 'host', null],
    ['https://10.0.0.1/', 'host', null],
    ['https://192.168.1.1/', 'host', null],
    ['https://169.254.169.254/latest/meta-data/', 'host', null],
    ['https://[::1]/', 'host', null],
    ['https://[fe80::1]/', 'host', null],
    ['https://[::ffff:10.0.0.1]/', 'host', null],
    ['https://[2606:4700:4700::1111]/', 'host', null],
    ['https://[2606:4700:4700:0:0:0:0:1111]/', 'host', null],
    ['https://[2a00:1450:4001:82B::200E]/hook', 'host', null],
    ['https://[2001:4860:4860::8888]:8443/', 'host', null],
    ['https://[64:ff9b::808:808]/', 'host', null],
    ['', 'url', null],
  ])('returns 422 for %j, which breaks the rule %s', async (target_url, rule, limit) => {
    const error = await refused({ target_url }, 'target_url');
    expect(error.message).toContain('target_url');
    const received = `a string of ${target_url.length} characters`;
    expect(error.details).toEqual([{ index: 0, field: 'target_url', rule, limit, received }]);
    expect(JSON.stringify(error)).not.toContain('password@');
  });

  it('returns 422 for a host outside ASCII, and suggests the xn-- form, which is accepted', async () => {
    const error = await refused({ target_url: 'https://bücher.example.com/hook' }, 'target_url');
    expect(error.details?.[0]?.rule).toBe('ascii');
    expect(error.message).toContain('https://xn--bcher-kva.example.com/hook');
    const target_url = 'https://xn--bcher-kva.example.com/hook';
    expect((await create({ ...good(), target_url }, keys.integration)).status).toBe(201);
  });

  it.each([
    ['absent', undefined],
    ['null', null],
    ['a number', 1],
    ['an array', []],
  ])('returns 422 if it is %s', async (_, target_url) => {
    await refused({ target_url }, 'target_url');
  });
});

describe('the field name', () => {
  it.each([
    ['191 characters', 'n'.repeat(191)],
    ['191 characters beyond U+FFFF', '🎺'.repeat(191)],
  ])('accepts %s', async (_, name) => {
    expect((await create({ ...good(), name }, keys.integration)).status).toBe(201);
  });

  it.each([
    ['192 characters', 'n'.repeat(192), { rule: 'max_length', limit: 191, received: 'a string of 192 characters' }],
    ['192 beyond U+FFFF', '🎺'.repeat(192), { rule: 'max_length', limit: 191, received: 'a string of 192 characters' }],
    ['a number', 7, { rule: 'type', limit: 'string', received: 'a number' }],
    ['false', false, { rule: 'type', limit: 'string', received: 'a boolean' }],
    ['an object', {}, { rule: 'type', limit: 'string', received: 'an object' }],
  ])('returns 422 for %s', async (_, name, failure) => {
    const error = await refused({ name }, 'name');
    expect(error.message).toContain('`name`');
    expect(error.message).toContain(failure.received);
    expect(error.details).toEqual([{ index: 0, field: 'name', ...failure }]);
  });
});

describe('the field api_version', () => {
  it.each(['v6', 'v6.0', 'v5', 'v5.130', 'v2', 'v10.1', 'canary'])('accepts %s unchanged', async (api_version) => {
    const answer = await create({ ...good(), api_version }, keys.integration);
    expect(answer.body.webhooks[0].api_version).toBe(api_version);
  });

  it.each(['', '6', '6.0', 'V6', 'v', 'v6.', 'v6.0.1', 'v-1', ' v6', 'v6\n', 'latest', 'canary2', null, 6, ['v6']])(
    'returns 422 for %j',
    async (api_version) => {
      const error = await refused({ api_version }, 'api_version');
      expect(error.details).toHaveLength(1);
    },
  );

  it('says "1 character" in the singular if it is one character long', async () => {
    expect((await refused({ api_version: '6' }, 'api_version')).message).toMatch(/a string of 1 character\.$/);
  });

  it('has at most 50 characters', async () => {
    expect((await create({ ...good(), api_version: `v${'1'.repeat(49)}` }, keys.integration)).status).toBe(201);
    const error = await refused({ api_version: `v${'1'.repeat(50)}` }, 'api_version');
    expect(error.details?.[0]).toMatchObject({ rule: 'max_length', limit: 50 });
  });
});

describe('the field secret', () => {
  it('has at most 191 characters, and errors never show it', async () => {
    const longest = 'hunter2'.padEnd(191, '!');
    const answer = await create({ ...good(), secret: longest }, keys.integration);
    expect(answer.body.webhooks[0].secret).toBe(longest);
    const error = await refused({ secret: `${longest}!` }, 'secret');
    expect(error.details).toEqual([
      { index: 0, field: 'secret', rule: 'max_length', limit: 191, received: 'a string of 192 characters' },
    ]);
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });

  const base64 = (bytes: number) => Buffer.alloc(bytes, 'hunter2').toString('base64');

  it.each([
    ['base64 of 24 bytes', `whsec_${base64(24)}`],
    ['base64 of 64 bytes', `whsec_${base64(64)}`],
    ['the prefix in capitals, which means nothing', 'WHSEC_'],
    ['an underscore less', 'whsec'],
    ['one character', '!'],
  ])('accepts %s', async (_, secret) => {
    const answer = await create({ ...good(), secret }, keys.integration);
    expect(answer.body.webhooks?.[0].secret).toBe(secret);
  });

  it.each([
    ['nothing', 'whsec_'],
    ['no base64', 'whsec_!!!'],
    ['base64 of 23 bytes', `whsec_${base64(23)}`],
    ['base64 of 65 bytes', `whsec_${base64(65)}`],
    ['base64 without its padding', `whsec_${base64(32).replace(/=+$/, '')}`],
    ['base64url', `whsec_${Buffer.alloc(24, 0xff).toString('base64url')}`],
    ['base64 and a line break', `whsec_${base64(24)}\n`],
  ])('returns 422 for %s after whsec_, and the error does not show the value', async (_, secret) => {
    const error = await refused({ secret }, 'secret');
    expect(error.details).toEqual([
      {
        index: 0,
        field: 'secret',
        rule: 'whsec',
        limit: '24 to 64 bytes',
        received: `a string of ${secret.length} characters`,
      },
    ]);
    expect(JSON.stringify(error)).not.toContain(secret.slice(6) || 'hunter2');
  });

  it.each([[7], [{ value: 'hunter2' }], [['hunter2']]])(
    'returns 422 for %j, and the error does not show the value',
    async (secret) => {
      const error = await refused({ secret }, 'secret');
      expect(JSON.stringify(error)).not.toContain('hunter2');
    },
  );
});

describe("the field integration_id of a staff key's request", () => {
  it.each([
    ['absent', {}],
    ['null', { integration_id: null }],
    ['a number', { integration_id: 7 }],
    ['not an id', { integration_id: 'mine' }],
    ['unknown', { integration_id: 'ffffffffffffffffffffffff' }],
    ['the id of a key', () => ({ integration_id: keys.integration.slice(0, 24) })],
  ])('returns 422 ValidationError if it is %s', async (_, sent) => {
    const webhook = { ...good(), ...(typeof sent === 'function' ? sent() : sent) };
    const error = expectRefusal(await create(webhook, keys.owner), {
      status: 422,
      type: 'ValidationError',
      property: 'integration_id',
    });
    expect(error.details?.[0]).toMatchObject({ index: 0, field: 'integration_id' });
  });
});

describe('the details of an error', () => {
  const broken = { event: 'post.publish', target_url: 'http://localhost/', name: 7, secret: [], api_version: '6' };

  it('list every failure of an item in order', async () => {
    const error = await refused(broken, 'event');
    expect(error.details?.map(({ field, rule }) => [field, rule])).toEqual([
      ['event', 'known_event'],
      ['target_url', 'scheme'],
      ['name', 'type'],
      ['secret', 'type'],
      ['api_version', 'format'],
    ]);
    for (const field of ['target_url', '`name`', '`secret`', '`api_version`']) expect(error.context).toContain(field);
  });

  it('list every invalid field of a PUT, also a secret of the wrong type', async () => {
    const { id } = await existing(keys.integration);
    const error = expectRefusal(await update(id, broken, keys.integration), {
      status: 422,
      type: 'ValidationError',
      property: 'event',
    });
    expect(error.details?.map(({ field }) => field)).toEqual(['event', 'target_url', 'name', 'secret', 'api_version']);
  });

  it.each(['event', 'target_url', 'api_version'])('name the field %s if a PUT sets it to null', async (field) => {
    const { id } = await existing(keys.integration);
    expectRefusal(await update(id, { [field]: null }, keys.integration), {
      status: 422,
      type: 'ValidationError',
      property: field,
    });
  });
});

describe('keys that have a meaning in JavaScript', () => {
  it.each([
    [
      '__proto__ with the fields',
      '{"webhooks":[{"__proto__":{"event":"site.changed","target_url":"https://example.com/p"}}]}',
    ],
    ['constructor with the fields', '{"webhooks":[{"constructor":{"event":"site.changed"},"prototype":{}}]}'],
  ])('count as absent and return 422: %s', async (_, body) => {
    const answer = await stack.call('webhooks/create', {
      path: '/admin/webhooks/',
      body,
      key: keys.integration,
      headers: { 'Content-Type': 'application/json' },
    });
    expectRefusal(answer, { status: 422, type: 'ValidationError', property: 'event' });
    expect(({} as Record<string, unknown>).event).toBeUndefined();
  });

  it('are ignored beside valid fields', async () => {
    const body = `{"__proto__":{"polluted":1},"webhooks":[{"event":"site.changed","target_url":"${newUrl()}","__proto__":{"secret":"x"},"constructor":{"prototype":{"polluted":1}},"toString":1,"hasOwnProperty":null}]}`;
    const answer = await stack.call('webhooks/create', { path: '/admin/webhooks/', body, key: keys.integration });
    expect(answer.status).toBe(201);
    expect(answer.body.webhooks[0].secret).toBeNull();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('return 400 if used as the root key', async () => {
    const body = '{"__proto__":{"webhooks":[{"event":"site.changed","target_url":"https://example.com/"}]}}';
    const answer = await stack.call('webhooks/create', { path: '/admin/webhooks/', body, key: keys.integration });
    expectRefusal(answer, { status: 400, type: 'BadRequestError' });
  });
});
