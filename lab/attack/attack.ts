/**
 * Attacks its own local stack as two integrations, staff of every role and impostors, and prints what was refused
 * and allowed. Exits with 1 if an answer differs from the contract.
 *
 *   npm --prefix lab run attack
 */
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { parseStage } from '../../infra/cdk/parse-stage.ts';
import { stages } from '../../infra/cdk/stages.ts';
import { adminToken } from '../../infra/command-line/admin-token.ts';
import { command, run } from '../../infra/command-line/command.ts';
import { eventually } from '../../infra/local/demo/eventually.ts';
import { attackClasses } from '../../test/attack/classes.ts';
import { itemsOf } from '../../test/attack/items.ts';
import { attackFailedKeys, attackOn, limitsOf } from '../../test/attack/limits.ts';
import { attackEndpoint, endpoints, type Row } from '../../test/attack/matrix.ts';
import { attackPorts } from '../../test/attack/ports.ts';
import { createWorld, type Place, tokenOf } from '../../test/attack/world.ts';
import { receiveWebhooks } from '../../test/support/parts-receiver.ts';
import { type RunningStack, runStack, temporaryHome } from '../../test/support/parts-running-stack.ts';
import { runScript } from '../../test/support/run-script.ts';
import { headersOf } from '../../test/support/sessions.ts';
import { waitingMessages } from '../../test/support/waiting-messages.ts';
import { writeSection } from '../page-section.ts';

const { settings } = parseStage('local', stages.local);

const placeOn = ({ stack }: RunningStack, receiver: string): Place => {
  const { endpoint, region, ...credentials } = stack.aws;
  const dynamodb = new DynamoDBClient({ endpoint, region, credentials });
  const sqs = new SQSClient({ endpoint, region, credentials });
  const mails = v.object({
    emails: v.array(
      v.object({ destination: v.object({ to: v.array(v.string()) }), body: v.object({ text: v.string() }) }),
    ),
  });
  const returnedTokens = new Set<string>();
  return {
    async send({ line, path, headers, body }) {
      const response = await fetch(`${stack.baseUrl}${path}`, {
        method: line.method,
        headers,
        // The answer itself is judged, not the page that it leads to.
        redirect: 'manual',
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
      return {
        status: response.status,
        text,
        headers: headersOf(response),
        body: isJson ? JSON.parse(text) : undefined,
      };
    },
    staffKeys: stack.staffKeys,
    integrationKeys: { first: stack.integrationKey, second: stack.otherIntegrationKey },
    origin: new URL(stack.baseUrl).origin,
    receiver,
    tokenFor: (email) =>
      eventually(`a mail to ${email}`, async () => {
        const { emails } = v.parse(mails, await (await fetch(`${stack.mailbox}/store`)).json());
        const token = tokenOf(emails.findLast(({ destination }) => destination.to.includes(email))?.body.text);
        // The mailbox still has earlier mails of an address that signs in again, until the new one arrives.
        if (token === '' || returnedTokens.has(token)) return undefined;
        returnedTokens.add(token);
        return token;
      }),
    async items() {
      // Earlier requests may still be sending mails and deliveries.
      let items = await itemsOf(dynamodb, stack.table);
      for (;;) {
        await wait(300);
        const isAtRest = Object.keys(await waitingMessages(sqs, stack.queues)).length === 0;
        const later = await itemsOf(dynamodb, stack.table);
        if (isAtRest && isDeepStrictEqual(items, later)) return later;
        items = later;
      }
    },
  };
};

/** Returns whether the command line prints control characters that an integration hid in a name. */
const attackTerminal = async ({ stack }: RunningStack): Promise<boolean> => {
  const webhooks = [
    { event: 'tag.added', target_url: 'https://terminal.example/', name: '\u001b]0;owned\u0007\u009b31m\u202egnp.exe' },
  ];
  const made = await fetch(`${stack.baseUrl}/admin/webhooks/`, {
    method: 'POST',
    headers: { Authorization: `Ghost ${adminToken(stack.integrationKey)}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ webhooks }),
  });
  if (made.status !== 201) throw new Error(`Preparing the attack: ${made.status} ${await made.text()}`);
  const environment = { MASTHEAD_KEY: stack.staffKeys.Owner ?? '' };
  const printed = await Promise.all(
    [[], ['--json']].map((format) =>
      runScript('infra/ops/ops.ts', ['webhooks', 'list', '--url', stack.baseUrl, ...format], environment),
    ),
  );
  const isThere = printed.every(({ output }) => output.includes('terminal.example'));
  if (!isThere) throw new Error(`Preparing the attack: ops webhooks list printed ${printed[0]?.output}`);
  return printed.some(({ output }) => /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(output));
};

const scopeTable = (rows: readonly Row[]): string => {
  const lines = rows.filter((row) => row.scopes !== '').map((row) => `| \`${row.endpoint}\` | ${row.scopes} |`);
  return ['| endpoint | allowed with the scope |', '|---|---|', ...lines].join('\n');
};

const attack = async ({ ports: arePortsAll }: { readonly ports: boolean }): Promise<void> => {
  const home = temporaryHome();
  const receiver = await receiveWebhooks();
  const running = await runStack(home.folder, ['--memory']);
  const findings: string[] = [];
  try {
    const ports = await attackPorts(running.pid);
    const showPorts = () =>
      console.table(ports.map(({ findings: found, ...row }) => ({ ...row, findings: found.length })));
    findings.push(...ports.flatMap((row) => row.findings));
    if (arePortsAll) return showPorts();
    const world = await createWorld(placeOn(running, receiver.origin));
    const rows: Row[] = [];
    for (const line of endpoints) rows.push(await attackEndpoint(world, line));
    writeSection('threat-model.md', 'attack', scopeTable(rows));
    const matrix = rows.map(({ findings: found, ...row }) => ({ ...row, findings: found.length }));
    console.table(matrix);
    const sum = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + pick(row), 0);
    const requests =
      `${sum((row) => row.requests)} requests: ${sum((row) => row.refused)} refused, ${sum((row) => row.allowed)} ` +
      'allowed';
    console.log(requests);
    showPorts();

    const limits = [];
    for (const [setting, limit] of Object.entries(limitsOf(settings))) {
      const { allowed, refusal, excess = 0 } = await attackOn(setting)(world, limit);
      limits.push({ limit: setting, value: limit, allowed, 'then refused with': refusal?.status });
      if (allowed > limit + excess || refusal === undefined || refusal.status < 400 || refusal.status >= 500)
        findings.push(
          `${setting} is ${limit}: ${allowed} requests were allowed, then ${refusal?.status} ${refusal?.text}`,
        );
    }
    const classes = [];
    for (const [name, attackOfClass] of Object.entries(attackClasses)) {
      const { answered, expected } = await attackOfClass(world);
      classes.push({ attack: name, answered: answered.join(', '), expected: expected.join(', ') });
      if (!isDeepStrictEqual(answered, expected)) findings.push(`${name}: ${answered.join(', ')}`);
    }
    const controls = await attackTerminal(running);
    classes.push({ attack: 'a name reaches the terminal unchanged', answered: String(controls), expected: 'false' });
    if (controls) findings.push('ops webhooks list prints the control characters of a name');
    console.table(classes);
    const failed = await attackFailedKeys(world, 1000);
    limits.push({
      limit: 'requests without a valid key, each environment',
      value: 50,
      allowed: failed.allowed,
      'then refused with': failed.refusal?.status,
    });
    if (failed.refusal?.status !== 429) findings.push('requests without a valid key are not limited');
    console.table(limits);
    findings.push(...rows.flatMap((row) => row.findings));
  } finally {
    await running.end('SIGTERM');
    receiver.close();
    home.remove();
    console.log(findings.length === 0 ? 'No findings.' : `${findings.length} findings:\n${findings.join('\n')}`);
    if (findings.length > 0) process.exitCode = 1;
  }
};

await run(
  command('npm --prefix lab run attack --')
    .description(
      'Attacks its own local stack: every endpoint with every caller and every kind of id, every limit and every ' +
        'port. Prints what was refused and allowed. The exit code is 1 if an answer differs from the contract.',
    )
    .option('--ports', 'Attack the ports only.', false)
    .action(attack),
);
