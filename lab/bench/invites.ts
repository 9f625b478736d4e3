/**
 * Invites 200 people in four requests on the local stack, whose sender is limited to 14 mails a second: without faults, with SES throttling, and with
 * mailers that are killed. The mailbox is the judge. Prints a table. Fails if an address got no mail, got more duplicates than kills between SES's
 * answer and its record explain, or if a link in a mail does not work.
 *
 * The third part takes minutes: a killed mailer's messages become visible again only after the visibility timeout.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { command, run } from '../../infra/command-line/command.ts';
import { mailsByAddress, mailsIn } from '../../test/support/mailbox.ts';
import { runStack, temporaryHome } from '../../test/support/parts-running-stack.ts';

const live = async (faults: readonly object[]) => {
  const home = temporaryHome();
  const plan = join(home.folder, 'faults.json');
  writeFileSync(plan, JSON.stringify({ seed: 7, faults }));
  const { stack, call, end } = await runStack(home.folder, ['--memory', '--quiet', '--faults', plan]);
  const pending = async () =>
    (await call('GET', '/admin/invites/?status=pending&limit=1', { key: stack.adminKey })).body.invites.length > 0;

  const roles = await call('GET', '/admin/roles/', { key: stack.adminKey });
  const role_id = roles.body.roles.find(({ name }: { name: string }) => name === 'Author').id;
  const addresses = Array.from({ length: people }, (_, person) => `reader-${person}@example.org`);
  const began = Date.now();
  for (let request = 0; request < requests; request++) {
    const invites = addresses.filter((_, person) => person % requests === request).map((email) => ({ email, role_id }));
    const { status } = await call('POST', '/admin/invites/', { key: stack.adminKey, body: { invites } });
    if (status !== 201) throw new Error(`inviting was answered with ${status}`);
  }
  while ((await pending()) && Date.now() - began < longestMinutes * 60_000) await wait(250);
  const seconds = (Date.now() - began) / 1000;
  // Wait for duplicates, which would arrive now.
  await wait(3000);

  const sent = await mailsIn(stack.mailbox);
  const byAddress = mailsByAddress(sent);
  const counts = addresses.map((address) => byAddress.get(address) ?? 0);
  const perSecond = new Map<number, number>();
  for (const { at } of sent) perSecond.set(at, (perSecond.get(at) ?? 0) + 1);
  let deadLinks = 0;
  for (const { body } of sent)
    if ((await fetch(/http\S+\/invitation\/\S+/.exec(body.text)?.[0] ?? '')).status !== 200) deadLinks++;
  const struck = v.parse(struckSchema, await (await fetch(`${stack.proxy}/faults`)).json());
  const times = (wanted: (fault: Record<string, unknown>) => boolean) =>
    struck.filter(({ fault }) => wanted(fault)).reduce((sum, one) => sum + one.times, 0);
  const kills = times(({ fault }) => fault === 'kill');
  const none = counts.filter((count) => count === 0).length;
  const extra = sent.length - people + none;
  await end('SIGINT');
  home.remove();
  return {
    mails: sent.length,
    'without a mail': none,
    'duplicate mails': extra,
    kills,
    'of them after SES': times(({ fault, after }) => fault === 'kill' && after === true),
    throttled: times(({ fault }) => fault === 'throttle'),
    'maximum in a second': Math.max(...perSecond.values()),
    seconds: Math.round(seconds * 10) / 10,
    'dead links': deadLinks,
    wrong: none + deadLinks + Math.max(0, extra - kills) + (Math.max(...perSecond.values()) > 14 ? 1 : 0),
  };
};

const people = 200;
const requests = 4;
const longestMinutes = 20;

const days = {
  'no faults': [],
  'SES throttles three in ten': [{ fault: 'throttle', service: 'ses', probability: 0.3 }],
  'mailers are killed': [
    { fault: 'throttle', service: 'ses', probability: 0.1 },
    // Kill before SES has the mail, between SES's answer and the record, and at any point.
    { fault: 'kill', function: 'mail/send', action: 'SendEmail', probability: 0.02 },
    { fault: 'kill', function: 'mail/send', action: 'SendEmail', after: true, probability: 0.03 },
    { fault: 'kill', function: 'mail/send', probability: 0.1, withinMs: 900 },
    { fault: 'duplicate', queue: 'mail', probability: 0.1 },
  ],
} as const;

const struckSchema = v.array(v.object({ fault: v.looseObject({ fault: v.string() }), times: v.number() }));

const measure = async (): Promise<void> => {
  const rows: Record<string, string | number>[] = [];
  for (const [day, faults] of Object.entries(days)) rows.push({ day, ...(await live(faults)) });
  console.table(rows);
  if (rows.some((row) => row.wrong !== 0)) process.exitCode = 1;
};

await run(
  command('npm --prefix lab run soak:invites --')
    .description(
      `Invites ${people} people on local stacks without faults, with SES throttling and with killed mailers, and fails if an address gets no mail, too many, or a dead link. Takes minutes.`,
    )
    .action(measure),
);
