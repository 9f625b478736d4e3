/** Leases and claims last longer than their functions; otherwise a second run would begin during the first. */
import { expect, it } from 'vitest';
import { contract, type FunctionName } from '../../shared/contract.ts';
import { longestRequestMs } from '../../shared/deliveries/publish/publish.ts';
import { sweptAfterMs } from '../../shared/due/outbox.ts';
import { dueMs as deletionDueMs } from '../../shared/integrations/delete.ts';
import { claimMs } from '../../shared/invites/send.ts';

/** The timeout of a function in ms; 10 seconds is the default. */
const timeoutOf = (name: FunctionName): number => {
  const line = contract.find((one) => one.function === name);
  return ((line && 'timeoutSeconds' in line && line.timeoutSeconds) || 10) * 1000;
};

it('the claim of the mailer on an invite lasts longer than its timeout', () => {
  expect(claimMs).toBeGreaterThan(timeoutOf('mail/send'));
});

it.each<[string, FunctionName, number]>([
  ['the message of a deletion', 'integrations/delete', deletionDueMs],
  ...contract
    .filter(({ access }) => access.table?.PutItem?.some((partition) => partition.startsWith('OUTBOX#')))
    .map((line): [string, FunctionName, number] => ['a message of the outbox', line.function, sweptAfterMs]),
])('the sweep does not send %s again while %s may still send it', (_, name, ms) => {
  expect(ms).toBeGreaterThan(timeoutOf(name));
});

it.each<FunctionName>(['events/publish', 'inbound/ghost'])(
  'an event does not count as unsent while %s may still send it',
  (name) => {
    expect(longestRequestMs).toBeGreaterThanOrEqual(timeoutOf(name));
  },
);
