/** Moves a Ghost site's webhooks to a stage and back (`plan.ts`). Removes nothing before the relay is proven. */
import { visible } from '../../command-line/print.ts';
import { type Facts, type Import, readFacts } from './facts.ts';
import { movable, planCopies, planRemovals, planUndo, type Refusals, type Step, silentAfterUndo } from './plan.ts';
import { isHarmless, NotProven, proofText, prove } from './prove.ts';
import { commandFor, examineRelays, report } from './report.ts';
import { askStage, printStays } from './stays.ts';
import { applyStep, shown, textOf } from './steps.ts';

/** Prints what an import would do; only asks the stage whether it accepts each webhook. Returns whether all is well. */
export const showImport = async (work: Import, isSwitched: boolean): Promise<boolean> => {
  const { print, included } = work;
  const facts = await readFacts(work);
  checkOtherRelays(work, facts);
  const refusals = await askStage(work, facts);
  const steps = planCopies(facts, work, refusals);
  printStays(work, facts, refusals);
  for (const step of steps) print(textOf(step));
  const leaving = movable(facts, included, refusals);
  if (steps.length > 0 || leaving.length > 0) print(proofText(facts));
  if (isSwitched) for (const webhook of leaving) print(`at Ghost  remove   ${shown(webhook)}`);
  if (steps.length === 0 && leaving.length === 0) print('Nothing is left to do.');
  else
    print(
      `\nNothing was changed. --apply does ` +
        `it${isSwitched ? '' : '; with --switch, the originals at Ghost are then removed'}.`,
    );
  return facts.record.revision === 0 || report(work, facts);
};

/** Prints who sends to each receiver, and records which webhooks could move. Returns whether all is well. */
export const checkImport = async (work: Import): Promise<boolean> => {
  const { print, included } = work;
  const facts = await readFacts(work);
  if (facts.record.revision === 0) {
    print(`${facts.record.from} was not moved to this stage. → ${commandFor(work, '--apply --switch')}`);
    return false;
  }
  const refusals = await askStage(work, facts);
  const isWell = await report(work, facts);
  const added = facts.receivers.flatMap(({ there, original }) => (original === undefined && there ? [there] : []));
  const unmoved = movable(facts, included, refusals).filter((one) => added.includes(one));
  for (const webhook of unmoved) print(`! at Ghost, not moved: ${shown(webhook)}`);
  if (unmoved.length > 0) print(`  → ${commandFor(work, '--apply --switch')}`);
  printStays(work, facts, refusals);
  await noteUnmoved(work, facts, refusals);
  if (isWell) print('✓ Every receiver that was moved gets its events.');
  return isWell;
};

/** The overview of the console and the doctor show the webhooks that could move. */
const noteUnmoved = async ({ stage, included }: Import, facts: Facts, refusals: Refusals): Promise<void> => {
  if (facts.receiver !== undefined && facts.record.inbound_hint !== null)
    await stage.recordUnmoved(facts.receiver.id, movable(facts, included, refusals));
};

/** Refuses a site whose events already come to a stage in another way. @throws Error */
const checkOtherRelays = (work: Import, { otherRelays, here }: Facts): void => {
  const [other] = otherRelays;
  if (other === undefined) return;
  const [, base = '', id = ''] = /^(.*)\/inbound\/ghost\/([0-9a-f]{24})\//.exec(other.target_url) ?? [];
  const known = here.find((one) => one.id === id);
  throw new Error(
    known === undefined
      ? `Ghost has relays to another stage, ${visible(base)}, so receivers would get each event twice. Move the ` +
          `site back there first: ${commandFor(work, '--undo', base)}. If that stage is lost, run --undo here on the ` +
          'machine that made the move; its .masthead folder has a copy of the record.'
      : `Ghost has relays to the integration ${visible(known.name)} here, which were entered by hand, so receivers ` +
          'would get each event twice. Delete these webhooks at Ghost first: ' +
          `${otherRelays.map((one) => one.event).join(', ')}. Stage: ${work.stage.baseUrl}.`,
  );
};

/**
 * Copies the webhooks, makes and proves the relay; removes the originals if `isSwitched`. Returns whether all is well.
 * @throws NotProven, ApiError, and Error for a step that the other side refuses
 */
export const applyImport = async (work: Import, isSwitched: boolean): Promise<boolean> => {
  const { included, print, record, stage } = work;
  const start = await readFacts(work);
  checkOtherRelays(work, start);
  const { to } = record.now;
  const isMoving = record.now.revision > 0 && to !== stage.baseUrl;
  if (isMoving) {
    print(`at Ghost  change   the relays will send to ${stage.baseUrl} instead of ${to}`);
    await record.save({ to: stage.baseUrl, proven_at: null });
  }
  await forgetDeleted(work, start);
  const refusals = await askStage(work, start);
  printStays(work, start, refusals);
  const copyAll = () =>
    untilDone(
      work,
      (facts) => planCopies(facts, work, refusals),
      (step, reason) => {
        if (step.kind !== 'copy') throw new Error(`${textOf(step)}: ${reason}`);
        refusals.set(step.webhook.id, reason);
        print(`stays     ${shown(step.webhook)}\n          ${visible(reason)}`);
      },
    );
  await copyAll();
  const facts = await readFacts(work);
  const removals = isSwitched ? planRemovals(facts, included) : [];
  const isMoved = record.now.originals.some(({ removed }) => removed);
  const faults = (await examineRelays(work, facts)).filter(({ mark }) => mark === '✗');
  const isDoubtful = record.now.proven_at === null || record.now.failures.length + faults.length > 0;
  const isNeeded = removals.length > 0 || (isMoved && isDoubtful);
  if (facts.relays.length > 0 && (isHarmless(facts) || isNeeded))
    await prove(work).catch(async (error: unknown) => {
      if (!(error instanceof NotProven)) throw error;
      if (isMoving) {
        await record.save({ to });
        await copyAll();
        // The receivers are judged by what arrives there now. If nothing does, the report says so.
        await prove(work).catch(unlessNotProven);
      }
      await report(work, await readFacts(work));
      throw isMoving ? new NotProven(`${error.reason} The relays send to ${to} again.`) : error;
    });
  else if (facts.relays.length > 0) print('The relay is not tested yet: --switch waits for an event.');
  if (isSwitched) await untilDone(work, (now) => planRemovals(now, included));
  const after = await readFacts(work);
  await noteUnmoved(work, after, refusals);
  const isWell = await report(work, after);
  print(
    `\n${after.record.originals.length} webhooks were taken over. A copy of the record is ${record.path}; ` +
      'it has secrets.',
  );
  return isWell;
};

const unlessNotProven = (error: unknown): void => {
  if (!(error instanceof NotProven)) throw error;
};

/** Asks about webhooks that were removed at Ghost and deleted here since: nobody else knows whether that was meant. */
const forgetDeleted = async (work: Import, { receivers }: Facts): Promise<void> => {
  const deleted = receivers.flatMap(({ there, original, copy }) =>
    there === undefined && copy === undefined && original?.removed ? [original] : [],
  );
  if (deleted.length === 0) return;
  const question =
    `Deleted here, so that nobody sends to them:\n${deleted.map((one) => `  ${shown(one)}`).join('\n')}\n` +
    'Was that meant?';
  if (await work.ask(question)) await work.record.save({ forgotten: deleted.map(({ id }) => id) });
};

/** Carries out the plan's first step, reads both sides again, and repeats. @throws Error if a step changes nothing */
const untilDone = async (
  work: Import,
  plan: (facts: Facts) => readonly Step[],
  onRefusal: (step: Step, reason: string) => void = (step, reason) => {
    throw new Error(`${textOf(step)}: ${reason}`);
  },
): Promise<void> => {
  let last: string | undefined;
  for (;;) {
    const facts = await readFacts(work);
    const [step] = plan(facts);
    if (step === undefined) return;
    const text =
      `${textOf(step)} ` +
      `${'webhook' in step ? step.webhook.id : ''}${'integration' in step ? step.integration.id : ''}`;
    if (text === last) throw new Error(`This step has no effect: ${textOf(step)}`);
    last = text;
    const reason = await applyStep(step, work, facts);
    if (reason !== undefined) onRefusal(step, reason);
    else work.print(textOf(step));
  }
};

/**
 * Undoes everything: first the webhooks at Ghost, so that no event is lost; then deletes what was created there and
 * here. Returns whether all is well. @throws Error for what could not be put back
 */
export const undoImport = async (work: Import): Promise<boolean> => {
  const { record, print } = work;
  const start = await openForUndo(work);
  const failed = new Map<string, string>();
  const silenced = await announceUndo(work, start);
  await untilDone(
    work,
    (facts) => planUndo(facts, failed, silenced),
    (step, reason) => {
      if (step.kind !== 'restore original') throw new Error(`${textOf(step)}: ${reason}`);
      failed.set(step.webhook.id, reason);
      print(`not restored  ${shown(step.webhook)}\n          ${visible(reason)}`);
    },
  );
  const after = await readFacts(work);
  const remaining = silentAfterUndo(after, failed).filter(({ id }) => !silenced.some((one) => one.id === id));
  const isWell = await report(work, after);
  if (remaining.length > 0)
    throw new Error(
      `These webhooks have no original at Ghost, so they stay here, with the relays of their events:\n` +
        `${remaining.map((one) => `  ${shown(one)}`).join('\n')}\nMake them at Ghost or delete them here, then run ` +
        '--undo again; at a terminal it asks whether they may be silent.',
    );
  if (failed.size > 0) throw new Error('Some webhooks could not be restored: see above, and run --undo again.');
  await record.end();
  print('\nEverything is as it was before the import.');
  return isWell;
};

/** @throws Error if there is nothing to undo */
const openForUndo = async (work: Import): Promise<Facts> => {
  const { record, print, stage } = work;
  const facts = await readFacts(work);
  const { copy } = record;
  if (facts.record.revision > 0) return facts;
  // A copy of a move that was undone on another machine is of no use.
  const isOfCopy = facts.otherRelays.some(({ target_url }) => target_url.includes(`/${copy?.receiver_id}/`));
  if (copy !== undefined && (isOfCopy || copy.to !== stage.baseUrl)) {
    print(`This stage has no record of the site: the copy of ${copy.updated_at} is used, ${record.path}.`);
    record.useCopy();
    return readFacts(work);
  }
  checkOtherRelays(work, facts);
  if (facts.relay !== undefined || facts.receiver !== undefined || facts.orphans.here.length > 0) return facts;
  throw new Error(`There is no import from ${facts.record.from} to undo.`);
};

/** Says what will be silent and how many deliveries are lost. Returns the webhooks that may be silent. */
const announceUndo = async (
  { print, ask, stage }: Import,
  facts: Facts,
): Promise<ReturnType<typeof silentAfterUndo>> => {
  for (const { there, original, copy } of facts.receivers) {
    const isLeaving = copy !== undefined && (there !== undefined || original !== undefined);
    const waiting = isLeaving ? await stage.countWaiting(copy.id) : 0;
    if (copy !== undefined && waiting > 0)
      print(
        `! ${waiting} ${waiting === 1 ? 'delivery waits' : 'deliveries wait'} here and will not be sent: ` +
          `${shown(copy)}`,
      );
  }
  const silent = silentAfterUndo(facts, new Map());
  if (silent.length === 0) return [];
  print(
    `Without the relays, these webhooks here get no event of the site:\n` +
      `${silent.map((one) => `  ${shown(one)}`).join('\n')}`,
  );
  return (await ask('Remove the relays of their events too?')) ? silent : [];
};
