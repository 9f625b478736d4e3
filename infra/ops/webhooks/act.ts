/** `npm run ops -- webhooks delete`, `ping`, `disable`, `enable` and `rotate-secret`. */
import { sections } from '../../command-line/command.ts';
import { apiCommand, connect, environment } from '../api/connection.ts';
import { request } from '../api/request.ts';
import { only, read } from '../api/resources.ts';
import { confirm, yesHelp } from '../output/confirm.ts';
import { printItem, say } from '../output/print.ts';
import { timeText } from '../output/times.ts';
import { fields, replayOfHeld } from './columns.ts';
import { findWebhook, idOrName } from './find.ts';

const example = (name: string, does: string) =>
  sections({ environment, examples: { [does]: `npm run ops -- webhooks ${name} 019acb5130f4a1b2c3d4e5f6` } });

/** Returns a command about one webhook. */
const about = (name: string, description: string, does: string) =>
  apiCommand(name).description(description).argument('<webhook>', idOrName).addHelpText('after', example(name, does));

export const remove = about('delete', 'Deletes a webhook. Deliveries that wait are cancelled.', 'Asks before')
  .option('--yes', yesHelp(), false)
  .action(async (given, { yes, ...options }) => {
    const caller = await connect(options);
    const id = await findWebhook(caller, given);
    await confirm(`Delete the webhook ${given === id ? id : `${id} (${given})`}?`, yes);
    await request(caller, 'DELETE', `/admin/webhooks/${id}/`);
    say(options, `Deleted the webhook ${id}.`);
  });

export const ping = about('ping', 'Sends a test delivery, webhook.ping.', 'Test the receiver').action(
  async (given, options) => {
    const caller = await connect(options);
    const id = await findWebhook(caller, given);
    const answer = await request(caller, 'POST', `/admin/webhooks/${id}/ping/`);
    const ping = only(read.pings(answer));
    printItem(options, ping, { delivery: ({ delivery_id }) => delivery_id });
    say(options, `\nFollow it with: npm run ops -- deliveries show ${ping.delivery_id}`);
  },
);

export const disable = about(
  'disable',
  'Disables a webhook: its events are held until it is enabled.',
  'While the receiver is being rebuilt',
).action(async (given, options) => {
  const caller = await connect(options);
  const id = await findWebhook(caller, given);
  const answer = await request(caller, 'POST', `/admin/webhooks/${id}/disable/`);
  printItem(options, only(read.webhooks(answer)), fields);
});

export const enable = about(
  'enable',
  'Enables a webhook, also one that was disabled because its receiver failed. What was held meanwhile is sent by a replay.',
  'When the receiver is back',
).action(async (given, options) => {
  const caller = await connect(options);
  const id = await findWebhook(caller, given);
  const answer = await request(caller, 'POST', `/admin/webhooks/${id}/enable/`);
  const webhook = only(read.webhooks(answer));
  printItem(options, webhook, fields);
  say(options, `\nThe webhook is enabled. Send what was held with: ${replayOfHeld(webhook)}`);
});

export const rotateSecret = about(
  'rotate-secret',
  'Replaces the secret and prints the new one once. Deliveries carry signatures of both until the old one expires.',
  'The secret was leaked',
).action(async (given, options) => {
  const caller = await connect(options);
  const id = await findWebhook(caller, given);
  const answer = await request(caller, 'POST', `/admin/webhooks/${id}/secret/`);
  printItem(options, only(read.secrets(answer)), {
    'secret, not returned again': ({ secret }) => secret,
    'previous one valid until': ({ previous_valid_until }) => timeText(previous_valid_until ?? null),
  });
});
