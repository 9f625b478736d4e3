/** `npm run ops -- …` for keys, integrations, webhooks, staff and invites, on the real handlers. */
import { expect, it, onTestFinished } from 'vitest';
import { opsOn, runOps } from '../support/ops.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { as, answerWith, file } = opsOn(stack);
const ops = (...args: string[]) => as(keys.owner)(args);
const keyPattern = /\b[0-9a-f]{24}:[0-9a-f]{64}\b/;

it('an empty list says so and names the command that creates an entry', async () => {
  expect(await ops('invites', 'list')).toMatchObject({
    code: 0,
    output: 'No invites yet. Invite with: npm run ops -- invites create --help\n',
  });
  expect((await ops('webhooks', 'list')).output).toMatch(/^No webhooks yet\. Create one with: /);
  expect((await ops('deliveries', 'list')).output).toMatch(/^No deliveries yet\. Publish an event with: /);
});

it('integration commands print a new key once, accept names, and warn what a deletion also removes', async () => {
  const created = await ops('integrations', 'create', 'Bookshop', '--can-publish', '--contact', 'ops@bookshop.example');
  const [key = ''] = keyPattern.exec(created.output) ?? [];
  expect(created.code, created.errors).toBe(0);
  expect(await as(key)(['publish', file('one.json', '{"event":"site.changed","payload":{}}')])).toMatchObject({
    code: 0,
  });

  const target = ['--event', 'post.published', '--target', 'http://127.0.0.1:9/hook'];
  expect(await ops('webhooks', 'create', '--integration', 'Bookshop', ...target)).toMatchObject({ code: 0 });
  const shown = await ops('integrations', 'show', 'Bookshop');
  expect(shown.output).toMatch(/^publishes +yes$/m);
  expect(shown.output).toContain('http://127.0.0.1:9/hook');
  expect(shown.output).not.toContain(key);

  expect(await ops('integrations', 'update', 'Bookshop', '--can-publish', 'no')).toMatchObject({
    output: expect.stringMatching(/^publishes +no$/m),
  });
  expect(await ops('integrations', 'delete', 'Bookshop')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('with 1 key and 1 webhook? Add --yes'),
  });
  expect(await ops('integrations', 'delete', 'Bookshop', '--yes')).toEqual({
    code: 0,
    output: expect.stringMatching(/^Deleted the integration Bookshop \([0-9a-f]{24}\) with 1 key and 1 webhook\.\n$/),
    errors: '',
  });
  expect(await ops('integrations', 'show', 'Bookshop')).toMatchObject({
    code: 2,
    errors: expect.stringContaining("No integration has the name 'Bookshop'."),
  });
});

it('webhook commands change, ping, disable, enable and delete, and read secrets only from a file', async () => {
  const secret = file('secret.txt', 'a secret from a file\n');
  const target = ['--event', 'post.published', '--target', 'http://127.0.0.1:9/hook'];
  const made = await ops(
    'webhooks',
    'create',
    '--integration',
    'Demo integration',
    ...target,
    '--secret-file',
    secret,
    '--json',
  );
  const { id, ...webhook } = JSON.parse(made.output);
  expect(webhook).toMatchObject({ event: 'post.published', secret: 'a secret from a file' });
  expect((await ops('webhooks', 'update', id, '--event', 'post.deleted')).output).toMatch(/^event +post\.deleted$/m);
  expect((await ops('webhooks', 'options', id)).output).toMatch(/^format +\{"type":"ghost"\}$/m);
  const options = file('options.json', '{"format":{"type":"slack"},"headers":{"X-Key":"hunter2"}}');
  expect(await ops('webhooks', 'update', id, '--options-file', options)).toMatchObject({ code: 0 });
  const changed = await ops('webhooks', 'options', id);
  expect(changed.output).toMatch(/^format +\{"type":"slack"\}$/m);
  expect(changed.output).toMatch(/^headers +X-Key$/m);
  const moved = ['--target', 'https://example.com/moved'];
  expect((await ops('webhooks', 'update', id, ...moved)).errors).toContain('`options.headers` must be sent again');
  const again = await ops('webhooks', 'update', id, ...moved, '--options-file', options);
  expect(again.output).toMatch(/^target +https:\/\/example\.com\/moved$/m);
  const filter = file('filter.json', '{"post":{"current":{"visibility":["public"]}}}');
  const tried = await ops('webhooks', 'try-filter', id, '--filter-file', filter);
  expect(tried).toMatchObject({ code: 0, output: expect.stringMatching(/^passed +0 of 0 events$/m) });
  expect((await ops('webhooks', 'options', id)).output).not.toContain('visibility');
  expect((await ops('webhooks', 'try-filter', id)).errors).toMatch(/^--filter-file is missing: /);
  const noObject = await ops('webhooks', 'update', id, '--options-file', file('no.json', '7'));
  expect(noObject).toMatchObject({
    code: 2,
    errors: expect.stringContaining('--options-file has to be a JSON object'),
  });
  const described = await ops('webhooks', 'update-options', id, '--description', 'Tells the shop');
  expect(described.output).toMatch(/^description +Tells the shop$/m);
  expect((await ops('webhooks', 'ping', id)).output).toMatch(/^delivery +[0-9a-f]{24}$/m);
  expect((await ops('webhooks', 'disable', id)).output).toMatch(
    /^state +disabled \(it gets nothing: its deliveries are held\)$/m,
  );
  const disabled = await ops('webhooks', 'list', '--state', 'disabled', '--json');
  expect(
    disabled.output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual([id]);
  const enabled = await ops('webhooks', 'enable', id);
  expect(enabled.output).toMatch(/^state +unused \(no event has been sent to it yet\)$/m);
  // Since its creation: the log has held deliveries of a whole month.
  expect(enabled.output).toContain(`replay ${id} --status held --since ${webhook.created_at.slice(0, 10)}\n`);
  expect((await ops('webhooks', 'rotate-secret', id)).output).toMatch(/^secret, not returned again +whsec_/m);
  expect(await ops('webhooks', 'delete', id, '--yes')).toMatchObject({ code: 0 });
  expect((await ops('webhooks', 'list')).output).toMatch(/^No webhooks yet/);
});

it("a second integration of a name is refused, with the command that replaces the first one's key", async () => {
  expect(await ops('keys', 'create', '--integration', 'Newsroom')).toMatchObject({ code: 0 });
  expect(await ops('keys', 'create', '--integration', 'Newsroom')).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/the name 'Newsroom' already .* npm run ops -- keys roll [0-9a-f]{24} --overlap 24/),
  });
});

it('key commands list, create, replace and revoke keys, and a revoked key is refused', async () => {
  const [key = ''] =
    keyPattern.exec((await ops('keys', 'create', '--integration', 'CMS', '--can-publish')).output) ?? [];
  expect((await ops('keys', 'list')).output).toMatch(new RegExp(`^${key.split(':')[0]} +CMS +yes `, 'm'));
  const overlapping = await ops('keys', 'roll', key.split(':')[0] ?? '', '--overlap', '24');
  const [second = ''] = keyPattern.exec(overlapping.output) ?? [];
  const end = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  expect((await ops('keys', 'list')).output).toMatch(new RegExp(`^${key.split(':')[0]} .* ${end}`, 'm'));
  const [rolled = ''] = keyPattern.exec((await ops('keys', 'roll', second.split(':')[0] ?? '')).output) ?? [];
  const revoked = await ops('keys', 'revoke', rolled.split(':')[0] ?? '', '--yes');
  expect(revoked).toMatchObject({ code: 0, output: expect.not.stringMatching(keyPattern) });
  for (const old of [key, rolled]) {
    const { code, errors } = await as(old)(['publish', file('again.json', '{"event":"site.changed","payload":{}}')]);
    expect(code).toBe(1);
    expect(errors).toContain('No Admin API key has the `kid` of the token.');
  }
  const editor = await ops('keys', 'create', '--staff', 'editor@masthead.example');
  expect(await as(keyPattern.exec(editor.output)?.[0] ?? '')(['staff', 'show', 'me'])).toMatchObject({
    output: expect.stringMatching(/^address +editor@masthead\.example$/m),
  });
});

it('invite commands accept addresses as arguments and in a file, print links on request, and revoke', async () => {
  const list = file(
    'addresses.csv',
    'Name,Email,Role\n"Miller, Grace",grace@example.com,Editor\n\n,linus@example.com,\n',
  );
  const made = await ops(
    'invites',
    'create',
    'ada@example.com',
    '--role',
    'author',
    '--file',
    list,
    '--no-mail',
    '--json',
  );
  const invites = made.output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(invites.map(({ email }) => email)).toEqual(['ada@example.com', 'grace@example.com', 'linus@example.com']);
  expect(invites[0].link).toMatch(/\/invitation\//);
  const roles = invites.map(({ role_id }) => role_id);
  expect(roles[1]).not.toBe(roles[0]);
  expect(roles[2]).toBe(roles[0]);
  expect((await ops('invites', 'list')).output).toMatch(/ada@example\.com +Author +pending/);
  expect((await ops('invites', 'show', invites[0].id)).output).toMatch(/^STATUS +AT +REASON\npending/m);
  expect(await ops('invites', 'revoke', 'ADA@example.com', '--yes')).toMatchObject({ code: 0 });
  expect(await ops('invites', 'revoke', 'nobody@example.com', '--yes')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('No invite has the address nobody@example.com'),
  });
  expect((await ops('invites', 'list', '--status', 'revoked')).output).toContain(invites[0].id);
  expect(await ops('invites', 'create', 'Miller, Ada <ada@example.com>', 'Grace', '--role', 'author')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('Line 2 has no address: Grace'),
  });
  expect(await ops('invites', 'create', 'ada@example.com', '--role', 'Chief')).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/^--role is 'Chief'; it must be one of .*Author/),
  });
});

it('staff commands change the role of a member and remove a member', async () => {
  expect((await ops('staff', 'update', 'author@masthead.example', '--role', 'Editor')).output).toMatch(
    /^role +Editor$/m,
  );
  expect(await ops('staff', 'remove', 'author@masthead.example', '--yes')).toMatchObject({ code: 0 });
  expect((await ops('staff', 'list')).output).not.toContain('author@masthead.example');
});

it('commands that nobody wrote by hand list, show and change what the API has', async () => {
  expect(await ops('staff', 'list', '--limit', '2', '--json')).toMatchObject({
    output: expect.stringMatching(/^\{.*\n\{.*\n$/),
    errors: 'There are more than 2: use --limit <number>.\n',
  });
  expect((await ops('roles', 'list')).output).toMatch(/^[0-9a-f]{24} +Administrator +/m);
  expect((await ops('config', 'show')).output).toMatch(/^environment +\w+$/m);
  expect((await ops('relays', 'list')).output).toBe('No relays yet.\n');
  const before = await ops('staff', 'update', 'editor@masthead.example', '--status', 'inactive');
  expect(before.output).toMatch(/^status +inactive$/m);
  const preview = ['--event', 'post.published', '--example', '--target', 'https://example.com/hook'];
  expect((await ops('webhooks', 'preview', ...preview)).output).toMatch(/^url +https:\/\/example\.com\/hook$/m);
  expect(await ops('staff', 'update', 'editor@masthead.example')).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/^Nothing to change: give at least one of --name, --status, --role, /),
  });
});

it('a refusal by the API is printed with message, help and id, and exits with code 1', async () => {
  const { code, output, errors } = await ops(
    'webhooks',
    'create',
    '--integration',
    'Demo integration',
    '--event',
    'post.publishd',
    '--target',
    'http://127.0.0.1:9/hook',
  );
  expect([code, output]).toEqual([1, '']);
  expect(errors).toMatch(
    /did you mean post\.published, .*\?\nCorrect `--event` and retry\. Events of your own are added in the stage setting `ownEvents`\.\nError id: [0-9a-f-]{36}\n$/,
  );
});

it('a busy stage leads to the exit code 3, for lists after retries and for changes at once', async () => {
  let requests = 0;
  answerWith(() => {
    requests += 1;
    return new Response('', { status: 503, headers: { 'Retry-After': '0' } });
  });
  expect(await ops('integrations', 'list')).toMatchObject({ code: 3, output: '' });
  expect(requests).toBe(9);
  expect(await ops('webhooks', 'ping', '0'.repeat(24))).toMatchObject({ code: 3 });
  expect(requests).toBe(10);
  answerWith();
});

it("the option --json prints the API's objects unchanged", async () => {
  const answers: string[] = [];
  answerWith(async (method, path) => {
    const { text } = await stack.call('users/list', { method, path, key: keys.owner });
    answers.push(text);
    return undefined;
  });
  const { output } = await ops('staff', 'list', '--json');
  answerWith();
  const { users } = JSON.parse(answers[0] ?? '');
  expect(output).toBe(users.map((user: object) => `${JSON.stringify(user)}\n`).join(''));
});

it('the list of the staff marks an address that no mail has reached', async () => {
  const { text } = await stack.call('users/list', { path: '/admin/users/?include=roles', key: keys.owner });
  answerWith(() => new Response(text.replace('"email_verified":true', '"email_verified":false')));
  const { output } = await ops('staff', 'list');
  answerWith();
  expect(output.match(/@masthead\.example \(not verified\)/g)).toHaveLength(1);
});

it('control characters in a description are not printed, because they could change the terminal', async () => {
  await ops('integrations', 'create', 'Evil', '--description', 'Evil\u001b[2J');
  const shown = await ops('integrations', 'show', 'Evil');
  expect(shown.output).toContain('Evil\\u001b[2J');
  expect(shown.output).not.toContain('\u001b');
});

it('the audit command says in sentences who did what to whom', async () => {
  await ops('integrations', 'create', 'Audited');
  const { output } = await ops('audit', '--action', 'integration.created', '--limit', '1');
  expect(output).toMatch(/Z \([^)]+\) +Olive Owner created the integration Audited +–/);
  const people = (await ops('staff', 'list', '--json')).output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const owner = people.find(({ name }) => name === 'Olive Owner').email;
  const byPerson = await ops('audit', '--actor', owner, '--since', '1h', '--action', 'integration.created');
  expect(byPerson.output).toContain('the integration Audited');
  expect((await ops('audit', '--limit', '1')).errors).toContain('There are more than 1: use --limit <number>.');
  expect(byPerson.errors).not.toContain('There are more');
  expect((await ops('audit', '--since', 'soon')).errors).toContain("--since is 'soon'; it must be a time");
});

it('the audit log is searched by the names and addresses that people know', async () => {
  await ops('integrations', 'create', 'Gazette');
  const target = ['--event', 'post.edited', '--target', 'http://127.0.0.1:9/gazette', '--name', 'Gazette posts'];
  expect(await ops('webhooks', 'create', '--integration', 'Gazette', ...target)).toMatchObject({ code: 0 });
  await ops('invites', 'create', 'grace@example.com', '--role', 'Author', '--no-mail');
  await ops('invites', 'revoke', 'grace@example.com', '--yes');
  const actionsOn = async (given: string) => (await ops('audit', '--since', '1h', '--target', given)).output;
  expect(await actionsOn('Gazette posts')).toContain('created the webhook Gazette posts for Gazette');
  expect(await actionsOn('Gazette')).toContain('created the integration Gazette');
  expect(await actionsOn('editor@masthead.example')).toContain('changed the account of');
  expect(await actionsOn('Grace@example.com')).toContain('revoked the invitation of');
  expect(await ops('audit', '--since', '1h', '--actor', 'Gazette')).toMatchObject({
    code: 0,
    output: 'No audit match.\n',
  });
  expect(await ops('audit', '--target', 'Gazete')).toMatchObject({
    code: 2,
    errors: expect.stringContaining("No webhook and no integration has the name 'Gazete'."),
  });
});

it("a refusal by the API names the command's options, not the fields of the API", async () => {
  const target = ['--event', 'post.edited', '--target', 'http://127.0.0.1:9/hook'];
  expect((await ops('webhooks', 'create', ...target)).errors).toMatch(
    /^`--integration` is missing\.\nCorrect `--integration` and retry\.\n/,
  );
});

it('an address that no member has is answered with the command that lists the staff', async () => {
  expect(await ops('staff', 'show', 'nobody@masthead.example')).toEqual({
    code: 2,
    output: '',
    errors:
      "No staff member has the address 'nobody@masthead.example'. npm run ops -- staff list shows them. " +
      'Run with --help for usage.\n',
  });
});

it('the stage of the environment is that of every command', async () => {
  // Not a stub: where files share a process, a stub of what was not set before stays.
  process.env.MASTHEAD_STAGE = 'nowhere';
  onTestFinished(() => void delete process.env.MASTHEAD_STAGE);
  expect((await runOps(['doctor'])).errors).toContain("MASTHEAD_STAGE is 'nowhere'; it must be one of ");
});

it('a list in CSV has a line for each object, and no cell that a spreadsheet runs', async () => {
  await ops('integrations', 'create', '=1+1', '--description', 'Says "no", twice');
  const { output } = await ops('integrations', 'list', '--csv');
  expect(output.split('\n')[0]).toMatch(/^"id","type","name","slug",/);
  expect(output).toContain(',"\'=1+1",');
  expect(output).toContain(',"Says ""no"", twice",');
  const log = await ops('audit', '--csv', '--limit', '1');
  expect(log.output).toMatch(/^"sentence","id","at","actor\.type",.*\n"Olive Owner created the integration =1\+1",/);
  expect((await ops('staff', 'list', '--csv')).output).toMatch(/"Olive Owner".*,"Owner"/);
  expect((await ops('deliveries', 'list', '--csv')).output).not.toContain('No deliveries');
  expect((await ops('audit', '--csv', '--json')).code).toBe(2);
});
