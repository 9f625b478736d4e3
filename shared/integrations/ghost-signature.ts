/** Authenticates a Ghost site's events by their signature with the integration's inbound secret. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { actorOf } from '../audit/entry.ts';
import { audited } from '../audit/store.ts';
import { log } from '../aws/log.ts';
import type { Caller } from '../foundation/caller.ts';
import { minute, systemClock, timestamp } from '../foundation/clock.ts';
import { UnauthorizedError } from '../foundation/errors.ts';
import type { IntegrationId } from '../foundation/ids.ts';
import { untilWritten } from '../table/optimistic.ts';
import { asTarget, type InboundSignature } from './integration.ts';
import { noIntegration } from './manage.ts';
import { boundedReader } from './refused-reads.ts';
import type { RefusalReason } from './relay/resource.ts';
import { watchRelay } from './relay/watch.ts';
import { changeIntegration, pinInboundSignature, readIntegration } from './store.ts';

const secretBytes = 32;
/** The maximum age of a request, and how far the sender's clock may be ahead, in ms. */
const toleranceMs = 5 * minute;

/** Creates or replaces an integration's inbound secret and returns it; the old one ends. @throws NotFoundError */
export const replaceInboundSecret = (id: IntegrationId, caller: Caller): Promise<string> =>
  untilWritten(`the inbound secret of ${id}`, async () => {
    const integration = await readIntegration(id);
    if (integration === undefined) throw noIntegration(id);
    // Before the secret exists, because an unwatched relay could become silent without notice.
    await watchRelay(id, systemClock());
    const secret = randomBytes(secretBytes).toString('hex');
    const entry = audited(actorOf(caller), 'integration.inbound_secret.replaced', asTarget(integration));
    const changes = { inbound_secret: secret, updated_at: timestamp(systemClock()) };
    return (await changeIntegration(integration, changes, [entry], ['inbound_signature'])) === undefined
      ? undefined
      : secret;
  });

export interface SignedRequest {
  /** The exact bytes. */
  readonly body: Buffer;
  /** `X-Ghost-Signature`: `sha256=<hex>, t=<epoch ms>`. */
  readonly signature: string | undefined;
}

export interface GhostSite {
  readonly integration: IntegrationId;
  readonly signs: InboundSignature;
  /** What the signatures of earlier requests covered; undefined before the first one. */
  readonly pinned: InboundSignature | undefined;
}

/**
 * Verifies that the integration's Ghost site sent the request within five minutes of `now`. Ghost 5.0 to
 * 5.87 does not sign the time; a site that has signed it once must always do so.
 * @throws UnauthorizedError, the same one whether the integration exists or not
 */
export const authenticateSite = async (
  integration: IntegrationId,
  request: SignedRequest,
  now: number,
): Promise<GhostSite> => {
  const signature = parse(request.signature);
  if (signature === undefined)
    throw new SignatureError(
      'signature_missing',
      'The header X-Ghost-Signature is missing, or does not have the form `sha256=<hex>, t=<epoch ms>`.',
    );
  if (Math.abs(now - Number(signature.time)) > toleranceMs)
    throw new SignatureError('signature_expired', 'The time in X-Ghost-Signature is more than five minutes off.');
  const site = await judged(integration, now, (found): GhostSite | undefined => {
    const { inbound_secret: secret, inbound_signature: pinned } = found ?? {};
    if (secret === undefined) return undefined;
    const isSigned = (...parts: readonly (string | Buffer)[]): boolean => {
      const hmac = createHmac('sha256', secret);
      for (const part of parts) hmac.update(part);
      return timingSafeEqual(hmac.digest(), Buffer.from(signature.hash, 'hex'));
    };
    const { body } = request;
    if (isSigned(body, signature.time)) return { integration, signs: 'body_and_time', pinned };
    return pinned !== 'body_and_time' && isSigned(body) ? { integration, signs: 'body', pinned } : undefined;
  });
  if (site !== undefined) return site;
  throw new SignatureError(
    'signature_wrong',
    'X-Ghost-Signature does not match the inbound secret of this integration.',
  );
};

const judged = boundedReader(readIntegration);

/** Records what a site's signatures cover, and only tightens it. Never rejects: the next event records it too. */
export const pinSignature = async ({ integration, signs, pinned }: GhostSite): Promise<void> => {
  if (signs === pinned) return;
  await pinInboundSignature(integration, signs, pinned).catch((error: unknown) =>
    log.warn('What a Ghost site signs could not be pinned', { error: error as Error }),
  );
};

/** Returns an id that a repeated request has too. Without a signed time, it is the body's, but for `site.changed`. */
export const eventIdOf = ({ body, signature }: SignedRequest, { signs }: GhostSite, event: string): string => {
  const usesTime = signs === 'body_and_time' || event === 'site.changed';
  return createHash('sha256')
    .update(JSON.stringify([event, usesTime ? parse(signature)?.time : null]))
    .update(body)
    .digest('hex');
};

const parse = (signature: string | undefined): { readonly hash: string; readonly time: string } | undefined => {
  const [, hash, time] = /^sha256=([0-9a-f]{64}), ?t=(\d{1,15})$/.exec(signature ?? '') ?? [];
  return hash === undefined || time === undefined ? undefined : { hash, time };
};

/** The error for a refused signature. Only the operator learns the reason. */
export class SignatureError extends UnauthorizedError {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message, {
      help:
        reason === 'signature_expired'
          ? 'Correct the clock of the server that Ghost runs on.'
          : 'Set the secret of the webhook at Ghost to the one that POST /admin/integrations/{id}/inbound_secret/ ' +
            'returns (docs/ghost.md).',
    });
    this.reason = reason;
  }
}
