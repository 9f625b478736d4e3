/** Explains refused requests of a Ghost site, for the command line and the console. Browsers use this file too. */
import type { RefusalReason } from './resource.ts';

/** By reason; each follows the word "refused". */
export const refusals: Readonly<Record<RefusalReason, string>> = {
  signature_missing: 'without a signature: the webhook at Ghost has no secret',
  signature_wrong: 'with a wrong signature: its secret at Ghost is not the inbound secret',
  signature_expired: 'with an old signature: the clock of Ghost or of a proxy is more than five minutes off',
  event: 'with a body that does not match the event in the path',
  body: 'with a body that is not JSON in UTF-8',
  size: 'with a body that is too large, or has too many levels or values',
  rate: 'over the limit of requests per minute',
  delivery_of_masthead: 'being deliveries of Masthead itself',
  other: 'for another reason, which is in the log',
};
