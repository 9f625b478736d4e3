/** Services' own ways to answer: Teams' errors in a 200, and Discord's time to wait in milliseconds. */
import { expect, it } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { stopTime } from '../support/test-time.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, publish, messagesFor, attempt, row } = deliveryTools(stack, keys);
const { opened } = stopTime();

const attemptAnswered = async (format: string, status: number, headers: Record<string, string>, text: string) => {
  const receiver = opened(await receiveWebhooks((response) => response.writeHead(status, headers).end(text)));
  const { id } = await webhook(`${receiver.origin}/api/webhooks/1/x`, { options: { format: { type: format } } });
  await publish('post.published');
  const message = (await messagesFor()).find(({ webhook_id }) => webhook_id === id);
  if (message === undefined) throw new Error('The webhook has no message.');
  await attempt(message);
  return row(id);
};

const refused = 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error';
it.each([
  ['a limit', '429', `${refused} 429 with ContextId tcid=0,server=msgapi-production-cin-azsc4-1-64.`],
  ['a message that is too large', '413', `${refused} 413 with ContextId tcid=622824298674363899`],
  ['a bad request', '400', `${refused} 400 with ContextId MS-CV=x..`],
  ['a channel without the connector', '403', `${refused} 403 with ContextId tcid=0`],
  ['a fault of Teams', '500', `${refused} 500 with ContextId tcid=0`],
  ['no connection', '502', 'Webhook message delivery failed with error: Error contacting Microsoft Teams endpoint'],
])('a connector of Teams that answers 200 with %s in its body has failed with %s', async (_, status, text) => {
  expect(await attemptAnswered('teams', 200, {}, text)).toMatchObject({
    status: 'retrying',
    last_status: status,
    last_error: 'status',
  });
});

it.each([
  ['teams', 200, '1'],
  ['teams', 202, ''],
  ['teams', 200, 'A card about HTTP error 429'],
  ['slack', 200, `${refused} 429`],
])('an answer of %s with %i and the body %j is a success', async (format, status, text) => {
  expect(await attemptAnswered(format, status, {}, text)).toMatchObject({
    status: 'delivered',
    last_status: String(status),
  });
});

it.each([
  ['discord', '1850', { 'X-RateLimit-Reset-After': '1.850' }, 1.85],
  ['discord', '43000', { 'X-RateLimit-Reset-After': '43' }, 43],
  ['discord', '2', { 'X-RateLimit-Reset-After': '1.5', Via: '1.1 google' }, 1.5],
  // Cloudflare in front of Discord, which counts in seconds.
  ['discord', '600', {}, 600],
  ['slack', '30', { 'X-RateLimit-Reset-After': '1' }, 30],
])('a limit of %s with `Retry-After: %s` and %j is %f s', async (format, retryAfter, headers, seconds) => {
  const { asked_until, last_attempt_at } = await attemptAnswered(
    format,
    429,
    { 'Retry-After': retryAfter, ...headers },
    '',
  );
  expect(Date.parse(asked_until ?? '') - Date.parse(last_attempt_at ?? '')).toBe(seconds * 1000);
});
