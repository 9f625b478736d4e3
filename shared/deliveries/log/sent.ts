/** Shows an attempt's request, rebuilt from event and options; without signatures, as secrets may have changed. */
import { readOptions } from '../../webhooks/options-store.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { type BuiltRequest, requestOf } from '../attempt/attempt.ts';
import { loadedEvent } from '../attempt/load.ts';
import { type Delivery, messageOf } from '../delivery.ts';
import type { DeliveryWithLogResource } from '../logged.ts';
import { storedEvent } from './stored-events.ts';

/** Returns the request of the last attempt; null before the first one, and if the event is no longer stored. */
export const sentRequest = async (
  webhook: Webhook,
  delivery: Delivery,
): Promise<DeliveryWithLogResource['request']> => {
  const last = delivery.log.at(-1);
  if (last === undefined) return null;
  const event = await storedEvent(delivery.body_hash);
  if (event === undefined) return null;
  const request = requestOf(
    { ...webhook, api_version: delivery.api_version ?? webhook.api_version },
    loadedEvent(event),
    { ...messageOf(delivery), attempt: last.number },
    Date.parse(last.started_at),
    0,
    await readOptions(webhook),
  );
  return showRequest(request);
};

/** Returns a request without signatures and secrets. Its URL has no fragment, as it is sent. */
export const showRequest = ({
  url,
  headers,
  body,
  credentials,
}: BuiltRequest): NonNullable<DeliveryWithLogResource['request']> => {
  const bytes = Buffer.from(body);
  const sentTo = new URL(url);
  sentTo.hash = '';
  return {
    method: 'POST',
    url: sentTo.href,
    headers: Object.fromEntries(
      Object.entries({ ...headers, 'Content-Length': String(bytes.length) }).map(([name, value]) => [
        name,
        credentials.includes(name) ? '…' : withoutSignatures(value, name),
      ]),
    ),
    body: beginningOf(bytes),
  };
};

/** The maximum bytes shown: more would be slow in a browser, and a response has at most 6 MB (Lambda). */
const shownBytes = 256 * 1024;

/** Returns the first 256 KiB of a body as text, without a partial last character. */
const beginningOf = (bytes: Buffer): string => {
  let end = Math.min(bytes.length, shownBytes);
  while (end < bytes.length && isContinuation(bytes.readUInt8(end))) end -= 1;
  return bytes.toString('utf8', 0, end);
};

/** Returns whether a byte of UTF-8 is the second, third or fourth of its character. */
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

const withoutSignatures = (value: string, name: string): string =>
  /-signature$/i.test(name) ? value.replaceAll(/(sha256=|v1,)[^ ,]+/g, '$1…') : value;
