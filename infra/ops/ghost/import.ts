/** Moves the webhooks of a Ghost site to a stage and back, step by step (`plan.ts`). Nothing is removed before the relay is proven to work. */
import { visible } from '../../command-line/print.ts';
import { type Facts, type Import, readFacts } from './facts.ts';
import type { GhostWebhook } from './ghost-site.ts';
import { copyOf, movable, planCopies, planRemovals, planUndo, remainingHere, type Step, secretOf } from './plan.ts';
import { isHarmless, NotProven, proofText, prove } from './prove.ts';
import { askStage, isTarget, printStays } from './stays.ts';
import { applyStep, shown, textOf } from './steps.ts';

/** Some receivers would get no events, or something could not be put back; the message says what. */
export class Incomplete extends Error {
  override readonly name = 'Incomplete';
}

/** Prints what an import would do and changes nothing, except that it asks the stage whether it accepts each webhook. */
export const showImport = async (work: Import, isSwitched: boolean): Promise<void> => {
  const { print, file, included } = work;
  const facts = await readFacts(work);
  const refusals = await askStage(work, facts);
  const steps = planCopies(facts, file.record, included, refusals);
  printStays(work, facts, refusals);
  for (const step of steps) print(textOf(step));
  const leaving = movable(facts, included, refusals);
  if (steps.length > 0 || leaving.length > 0) print(proofText(facts));
  if (isSwitched) for (const webhook of leaving) print(textOf({ kind: 'remove original', webhook }));
  if (steps.length === 0 && leaving.length === 0) print('Nothing is left to do.');
  else
    print(
      `\nNothing was changed. --apply does it${isSwitched ? '' : '; with --switch, the originals at Ghost are then removed'}.`,
    );
};

/** Steps that change the relay, so that it must be proven again. */
const changesRelay = (step: Step): boolean =>
  ['make receiver', 'make secret', 'make relay', 'relay event', 'set secret'].includes(step.kind);

/** Copies the webhooks, makes the relay and proves it; then removes the originals if `isSwitched`. @throws NotProven, Incomplete, ApiError */
export const applyImport = async (work: Import, isSwitched: boolean): Promise<void> => {
  const { file, included, print } = work;
  const { record, save } = file;
  const start = await readFacts(work);
  const refusals = await askStage(work, start);
  printStays(work, start, refusals);
  await untilDone(
    work,
    (facts) => planCopies(facts, record, included, refusals),
    (step, reason) => {
      if (step.kind !== 'copy') throw new Incomplete(`${textOf(step)}: ${reason}`);
      refusals.set(step.webhook.id, reason);
      print(`stays     ${shown(step.webhook)}\n          ${visible(reason)}`);
    },
  );
  const facts = await readFacts(work);
  const removals = planRemovals(facts, record, included);
  const isNeeded =
    (isSwitched && removals.length > 0) || Object.values(record.originals).some(({ removed }) => removed);
  const isDue = facts.relays.length > 0 && ((isSwitched && removals.length > 0) || !record.proven);
  if (isDue && !isNeeded && !isHarmless(facts)) print('The relay is not tested yet: --switch waits for an event.');
  else if (isDue) {
    await proveOrRepair(work);
    record.proven = true;
    save();
  }
  if (isSwitched) await untilDone(work, (now) => planRemovals(now, record, included));
  const after = await readFacts(work);
  if (after.receiver !== undefined && secretOf(after, record) !== undefined)
    await work.stage.recordUnmoved(after.receiver.id, movable(after, included, refusals));
  const lost = lostHere(after, record);
  if (lost.length > 0)
    throw new Incomplete(
      `Deleted here, and removed at Ghost, so that their receivers get no events:\n${lost.map((one) => `  ${shown(one)}`).join('\n')}\n--undo restores them at Ghost.`,
    );
  const count = [...after.copies.values()].flatMap(({ webhooks }) => webhooks).length;
  const both = planRemovals(after, record, included).length;
  print(
    `\n${count} webhooks are here, and the relay carries their events.${both > 0 ? ` Receivers get the events of ${both} of them from both sides until --switch.` : ''} The record is ${file.path}; it has secrets.`,
  );
};

/** Repairs a signature that the stage refuses: with a new secret on both sides, followed by a second proof. */
const proveOrRepair = async (work: Import): Promise<void> => {
  try {
    await prove(work);
  } catch (error) {
    if (!(error instanceof NotProven) || !error.isSignature) throw error;
    const { receiver, relays } = await readFacts(work);
    if (receiver === undefined) throw error;
    work.print('here      replace  the inbound secret, because the signatures do not match');
    work.file.record.secret = await work.stage.makeInboundSecret(receiver.id);
    work.file.save();
    for (const webhook of relays) await work.site.setSecret(webhook.id, work.file.record.secret);
    await prove(work);
  }
};

/** Originals that we removed and that exist on neither side. */
const lostHere = (facts: Facts, { originals }: Import['file']['record']): GhostWebhook[] =>
  Object.values(originals).flatMap(({ webhook, removed }) => {
    const isThere = facts.integrations.some(({ webhooks }) => webhooks.some((one) => isTarget(one, webhook)));
    return removed && !isThere && copyOf(facts, webhook) === undefined ? [webhook] : [];
  });

/** Carries out the plan's first step, reads both sides again, and repeats. @throws Error if a step changes nothing */
const untilDone = async (
  work: Import,
  plan: (facts: Facts) => readonly Step[],
  onRefusal: (step: Step, reason: string) => void = (step, reason) => {
    throw new Incomplete(`${textOf(step)}: ${reason}`);
  },
): Promise<void> => {
  let last: string | undefined;
  for (;;) {
    const facts = await readFacts(work);
    const [step] = plan(facts);
    if (step === undefined) return;
    const text = textOf(step);
    const isRepeated = text === last && step.kind !== 'copy';
    if (isRepeated) throw new Incomplete(`This step has no effect: ${text}`);
    last = text;
    if (changesRelay(step) && work.file.record.proven) {
      work.file.record.proven = false;
      work.file.save();
    }
    const reason = await applyStep(step, work, facts);
    if (reason !== undefined) onRefusal(step, reason);
    else work.print(text);
  }
};

/** Undoes everything: first the webhooks at Ghost, so that no event is lost, then what was created there and here is deleted. @throws Incomplete */
export const undoImport = async (work: Import): Promise<void> => {
  const { file, print } = work;
  const { copies, receiver, relay, relays } = await readFacts(work);
  if (!file.exists && copies.size + relays.length === 0 && receiver === undefined && relay === undefined)
    throw new Error(`There is no import from ${file.record.from} to undo.`);
  const failed = new Map<string, string>();
  await untilDone(
    work,
    (facts) => planUndo(facts, file.record, failed),
    (step, reason) => {
      if (step.kind !== 'restore original') throw new Incomplete(`${textOf(step)}: ${reason}`);
      failed.set(step.webhook.id, reason);
      print(`not restored  ${shown(step.webhook)}\n          ${visible(reason)}`);
    },
  );
  const remaining = remainingHere(await readFacts(work));
  if (remaining.length > 0)
    throw new Incomplete(
      `These webhooks have no original at Ghost, so they stay here, with the relay of their events:\n${remaining.map((one) => `  ${shown(one)}`).join('\n')}\nMake them at Ghost or delete them here, then run --undo again. The record is ${file.path}.`,
    );
  file.remove();
  print('\nEverything is as it was before the import.');
};
