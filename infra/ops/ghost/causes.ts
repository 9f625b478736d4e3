/** Explains why Ghost's requests do not arrive, with the solution, from what Ghost and the stage have recorded. */
import { refusals } from '../../../shared/integrations/relay/refusals.ts';
import { visible } from '../../command-line/print.ts';
import type { ListedWebhook } from './ghost-site.ts';
import type { Relay } from './stage.ts';

const timeout = /TIMEDOUT|TIMEOUT/;

const connectionCauses: readonly (readonly [RegExp, string])[] = [
  [
    /URL_PRIVATE_INVALID/,
    'Ghost does not send to private addresses: use a public URL of the stage (--url), or set ' +
      'security.allowWebhookInternalIPs to true at Ghost.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    'Ghost cannot resolve the host of the stage: check --url, and the DNS of the machine that Ghost runs on.',
  ],
  [
    /CERT|SIGNATURE|SSL|TLS|SELF_SIGNED|ALTNAME|EPROTO/,
    'Ghost does not accept the TLS certificate of the stage: ' +
      'use a certificate of a public authority for the host in --url.',
  ],
  [
    timeout,
    'The stage did not answer Ghost within two seconds: check the network between them and the latency of the stage.',
  ],
  [
    /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ECONNRESET/,
    'Nothing accepts connections at the host and port of --url, seen from Ghost.',
  ],
];

const statusCauses: Readonly<Record<string, string>> = {
  301: 'The URL of the stage redirects: use the URL that it redirects to as --url.',
  302: 'The URL of the stage redirects: use the URL that it redirects to as --url.',
  401:
    'The stage refuses the signature: the secret of the relay at Ghost is not the inbound secret, or a clock is ' +
    'more than five minutes off.',
  403:
    'Something in front of the stage refuses the request: a local stack answers 403 to a foreign Host ' +
    '(docs/ghost.md, "A tunnel").',
  404: 'The stage has no such path: --url must be the base URL of the API, such as https://…/ghost/api.',
  413: 'The body is larger than the stage takes (docs/ghost.md, "Large posts").',
  422: 'The stage does not know the event, or the body is of another one.',
  429: 'The site sends more than the stage allows, or the gateway is throttled.',
};

/** Returns the error that Ghost noted of the last delivery, if any. Without an answer, the status is an older one. */
export const notedAtGhost = ({ last_triggered_status, last_triggered_error }: ListedWebhook): string | undefined => {
  if (last_triggered_error === null) return undefined;
  const isAnswer = last_triggered_status !== null && !/^2/.test(last_triggered_status);
  return isAnswer && /NON_2XX|status/i.test(last_triggered_error)
    ? `${last_triggered_error}, status ${last_triggered_status}`
    : last_triggered_error;
};

/** Whether Ghost noted that no answer came in time: then the event may have arrived. */
export const isTimeout = (noted: string): boolean => timeout.test(noted);

/** Explains what Ghost noted, with the solution. */
export const causeOf = (noted: string): string => {
  const status = /, status (\d+)$/.exec(noted)?.[1] ?? '';
  const known = statusCauses[status] ?? connectionCauses.find(([pattern]) => pattern.test(noted))?.[1];
  const own = /^5/.test(status) ? 'The stage answers with an error of its own.' : '';
  return `${known ?? own} Ghost noted "${visible(noted)}".`.trim();
};

/** Returns why a webhook's last delivery failed; undefined if it did not fail. */
export const causeAtGhost = (webhook: ListedWebhook): string | undefined => {
  const noted = notedAtGhost(webhook);
  return noted === undefined ? undefined : causeOf(noted);
};

/** Returns what the stage has refused since a time, with the reason. */
export const refusedHere = (
  { refused }: Relay,
  since: string | null,
): { readonly reason: string; readonly text: string }[] =>
  refused
    .filter(({ last_at }) => last_at > (since ?? ''))
    .map(({ reason, count, last_at }) => ({
      reason,
      text:
        `${count} ${count === 1 ? 'request' : 'requests'} refused in seven days ` +
        `${isKnown(reason) ? refusals[reason] : reason}, the last at ${last_at}`,
    }));

/** A newer stage may have further reasons. */
const isKnown = (reason: string): reason is keyof typeof refusals => Object.hasOwn(refusals, reason);
