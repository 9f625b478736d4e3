/** The audit log in sentences: `{who}` did it to `{what}`, a webhook of `{of}`. For console and command line. */
import type { AuditAction } from './actions.ts';

export type Sentences = Readonly<Record<AuditAction, string>>;

export const english: Sentences = {
  'staff.added': '{what} joined the staff',
  'staff.updated': '{who} changed the account of {what}',
  'staff.address.requested': '{who} asked for a new address of {what}',
  'staff.removed': '{who} removed {what} from the staff',
  'staff.token.renewed': '{who} renewed the access token of {what}',
  'session.started': '{who} signed in with {what}',
  'session.ended': '{who} signed out {what}',
  'session.refused': '{who} refused a sign-in of {what}',
  'invite.created': '{who} invited {what}',
  'invite.resent': '{who} sent the invitation of {what} again',
  'invite.revoked': '{who} revoked the invitation of {what}',
  'integration.created': '{who} created the integration {what}',
  'integration.updated': '{who} changed the integration {what}',
  'integration.deleted': '{who} deleted the integration {what}',
  'integration.key.replaced': '{who} replaced the key of {what}',
  'integration.inbound_secret.replaced': '{who} replaced the secret of the Ghost site of {what}',
  'webhook.created': '{who} created the webhook {what} for {of}',
  'webhook.updated': '{who} changed the webhook {what} of {of}',
  'webhook.deleted': '{who} deleted the webhook {what} of {of}',
  'webhook.disabled': '{who} disabled the webhook {what} of {of}',
  'webhook.enabled': '{who} enabled the webhook {what} of {of}',
  'webhook.secret.rotated': '{who} rotated the secret of the webhook {what} of {of}',
  'webhook.pinged': '{who} sent a ping to the webhook {what} of {of}',
  'webhook.redelivered': '{who} sent a delivery of the webhook {what} of {of} again',
  'webhook.replayed': '{who} sent deliveries of the webhook {what} of {of} again',
  'relay.compared': '{who} compared the webhooks at Ghost with those of {what}',
  'move.started': '{who} began to move {what}',
  'move.ended': '{who} ended the move of {what}',
  'move.secrets.read': '{who} read the secrets of the move of {what}',
  'person.erased': '{who} erased the data of a person ({what})',
};

export type Place = 'who' | 'what' | 'of';

/** Returns the parts of a sentence: its words, and for each place what `named` returns. */
export const partsOf = <Part>(sentence: string, named: (place: Place) => Part): (string | Part)[] =>
  sentence.split(/\{(\w+)\}/).map((text, index) => (index % 2 === 0 ? text : named(text as Place)));

/** Returns what an action is called in a list of choices: its sentence without names. */
export const withoutNames = (sentence: string): string =>
  partsOf(sentence, (place) => (place === 'who' ? '' : '…'))
    .join('')
    .trim();
