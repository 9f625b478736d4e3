/** What people are told of refused requests of a Ghost site; the command line and the console show the same. Browsers use this file too. */
import type { RefusalReason } from './resource.ts';

/** By reason, after "refused". */
export const refusals: Readonly<Record<RefusalReason, string>> = {
  signature_missing: 'without a signature: the webhook at Ghost has no secret',
  signature_wrong: 'with a wrong signature: its secret at Ghost is not the inbound secret',
  signature_expired: 'with an old signature: the clock of Ghost or a proxy between is more than five minutes off',
  event: 'with a body that is not one of the event in the path',
  rate: 'beyond the limit of requests a minute',
  delivery_of_masthead: 'that are deliveries of Masthead itself',
  other: 'for another reason, which the log has',
};
