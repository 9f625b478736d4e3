/**
 * Copies the webhooks of a Ghost site to a stage, and makes the site deliver its events to the stage instead. Each step is recorded
 * before the next one, and what the record has is not done again.
 */
import type { GhostIntegration, GhostSite, GhostWebhook } from './ghost-site.ts';
import type { RecordFile } from './record.ts';
import type { Stage } from './stage.ts';

/** Name of the integration that holds the relay's webhooks at Ghost. */
const relayName = 'Masthead';

export interface Import {
  readonly site: GhostSite;
  readonly stage: Stage;
  readonly file: RecordFile;
  readonly print: (line: string) => void;
}

/** Returns the integrations that have webhooks of people: not the relay's own. */
const importable = async ({ site, file: { record } }: Import): Promise<GhostIntegration[]> => {
  const inbound = `${record.to}/inbound/ghost/`;
  return (await site.listIntegrations())
    .map((one) => ({ ...one, webhooks: one.webhooks.filter(({ target_url }) => !target_url.startsWith(inbound)) }))
    .filter(({ webhooks }) => webhooks.length > 0);
};

const shown = ({ event, target_url }: Pick<GhostWebhook, 'event' | 'target_url'>): string =>
  `${event.padEnd(24)} ${target_url}`;

/** Prints what an import would do, and changes nothing. */
export const showImport = async (work: Import): Promise<void> => {
  const { print, file } = work;
  const integrations = await importable(work);
  const webhooks = integrations.flatMap((one) => one.webhooks);
  for (const { name, webhooks: own } of integrations) {
    print(name);
    for (const webhook of own) print(`  ${webhook.id in file.record.webhooks ? 'done ' : 'new  '} ${shown(webhook)}`);
  }
  if (webhooks.length === 0) print('The site has no webhooks to import.');
  const events = new Set(webhooks.map(({ event }) => event));
  print(
    `\n${webhooks.length} webhooks in ${integrations.length} integrations; at Ghost one relay webhook for each of ${events.size} events. Nothing was changed: --apply imports them.`,
  );
};

/** Creates integrations and webhooks at the stage, and the relay's webhooks at Ghost. From then on receivers get events from both. */
export const applyImport = async (work: Import): Promise<void> => {
  const { stage, file, print } = work;
  const { record, save } = file;
  let skipped = 0;
  for (const integration of await importable(work)) {
    print(integration.name);
    for (const webhook of integration.webhooks) {
      if (webhook.id in record.webhooks) {
        print(`  done    ${shown(webhook)}`);
        continue;
      }
      record.integrations[integration.id] ??= await stage.createIntegration(integration.name);
      save();
      const made = await stage.createWebhook(webhook, record.integrations[integration.id] ?? '');
      if ('refused' in made) {
        skipped++;
        print(`  skipped ${shown(webhook)}\n          ${made.refused}`);
        continue;
      }
      record.webhooks[webhook.id] = { original: webhook, id: made.id, removed: false };
      save();
      print(`  created ${shown(webhook)}`);
    }
  }
  await makeRelay(work);
  print(
    `\n${Object.keys(record.webhooks).length} webhooks imported, ${skipped} skipped; those stay at Ghost. The record is ${file.path}; it has secrets.`,
  );
};

const makeRelay = async ({ site, stage, file: { record, save }, print }: Import): Promise<void> => {
  const events = new Set(Object.values(record.webhooks).map(({ original }) => original.event));
  if (events.size === 0) return;
  if (record.site === undefined) {
    const id = await stage.createIntegration(`Ghost ${new URL(record.from).host}`);
    // The secret may be made twice; the one that is recorded is the last.
    record.site = { id, secret: await stage.makeInboundSecret(id) };
    save();
  }
  record.relay ??= { id: await site.createIntegration(relayName), webhooks: {} };
  save();
  print(`At Ghost: integration ${relayName}`);
  for (const event of events) {
    const isMade = event in record.relay.webhooks;
    const target_url = `${record.to}/inbound/ghost/${record.site.id}/${event}/`;
    record.relay.webhooks[event] ??= await site.createWebhook({
      event,
      target_url,
      name: `${relayName} relay`,
      secret: record.site.secret,
      integration_id: record.relay.id,
    });
    save();
    print(`  ${isMade ? 'done   ' : 'created'} ${shown({ event, target_url })}`);
  }
};

/** Removes the imported webhooks at Ghost, whose receivers get their events from the stage alone from then on. */
export const switchOver = async ({ site, file: { record, save }, print }: Import): Promise<void> => {
  for (const [id, webhook] of Object.entries(record.webhooks)) {
    if (webhook.removed || record.relay?.webhooks[webhook.original.event] === undefined) continue;
    await site.deleteWebhook(id);
    webhook.removed = true;
    save();
    print(`  removed at Ghost: ${shown(webhook.original)}`);
  }
};

/** Puts everything back: the webhooks at Ghost first, so that no event is lost; then what was made is deleted, there and here. */
export const undoImport = async ({ site, stage, file, print }: Import): Promise<void> => {
  const { record, save } = file;
  for (const webhook of Object.values(record.webhooks)) {
    if (!webhook.removed) continue;
    const { id: _, ...original } = webhook.original;
    await site.restoreWebhook(original);
    webhook.removed = false;
    save();
    print(`  restored at Ghost: ${shown(webhook.original)}`);
  }
  if (record.relay !== undefined) {
    await site.deleteIntegration(record.relay.id);
    delete record.relay;
    save();
    print(`  deleted at Ghost: integration ${relayName}`);
  }
  for (const id of [...Object.values(record.integrations), ...(record.site === undefined ? [] : [record.site.id])])
    await stage.deleteIntegration(id);
  print(`  deleted here: ${Object.keys(record.integrations).length + 1} integrations with their webhooks`);
  file.remove();
};
