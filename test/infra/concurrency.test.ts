/** The share of a stage in the account's concurrent executions, which all functions in a region share. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { groupOf } from '../../infra/cdk/function-groups.ts';
import { parseStage, StageError } from '../../infra/cdk/parse-stage.ts';
import { stages } from '../../infra/cdk/stages.ts';
import { arn } from './resolved.ts';
import { everything, ofTable, synthesizedStages } from './stages.ts';
import { functionName, lines, synthesized } from './synthesized.ts';

const templates = synthesized();
const deployed = ofTable.filter(({ name }) => name !== 'local');
const scale = readFileSync(join(import.meta.dirname, '../../docs/scale.md'), 'utf8');

/** Each message is a job of staff, and each job runs once at a time: a cap would only cost polls (docs/cost.md). */
const oneInvocationPerJob = ['replays', 'deletions'];

const mapping = v.looseObject({
  EventSourceArn: v.string(),
  ScalingConfig: v.optional(v.object({ MaximumConcurrency: v.number() })),
});

describe.each(deployed)('the stage $name', ({ name, accountConcurrency }) => {
  const mappings = () => templates.of(name, 'Lambda::EventSourceMapping', mapping).map(({ properties }) => properties);
  const schedules = lines.filter(({ kind }) => kind === 'schedule').length;

  it('limits every queue that traffic can fill', () => {
    const uncapped = mappings().flatMap((one) => (one.ScalingConfig ? [] : [one.EventSourceArn]));
    const allowed = oneInvocationPerJob.map((queue) => arn('sqs', `masthead-${name}-${queue}`));
    expect(uncapped.filter((queue) => !allowed.includes(queue))).toEqual([]);
  });

  it('leaves some of the account’s concurrency to the API while all queues are full', () => {
    const workers = mappings().reduce((sum, { ScalingConfig }) => sum + (ScalingConfig?.MaximumConcurrency ?? 0), 0);
    expect(workers).toBeGreaterThan(0);
    expect(accountConcurrency - workers - schedules).toBeGreaterThanOrEqual(1);
    // The calculation in the document is this one.
    expect(scale).toContain(
      `| \`${name}\` | ${accountConcurrency} | ${workers} | ${schedules} | ` +
        `${accountConcurrency - workers - schedules} |`,
    );
  });
});

const lambda = v.looseObject({
  FunctionName: v.string(),
  ReservedConcurrentExecutions: v.optional(v.number()),
});

describe.each(synthesizedStages)('the reserved concurrency of the stage $name', (config) => {
  const functions = templates.of(config.name, 'Lambda::Function', lambda).map(({ properties }) => properties);

  it('is set where a group has `reservedConcurrency`, and for Ghost sites if the account allows it', () => {
    const ofSites = config.accountConcurrency >= 200 ? Math.floor(config.accountConcurrency / 20) : undefined;
    const expected = lines.map((line) => [
      functionName(config.name, line),
      config.reservedConcurrency[groupOf(line)] ?? (line.function === 'inbound/ghost' ? ofSites : undefined),
    ]);
    const found = functions.map((one) => [one.FunctionName, one.ReservedConcurrentExecutions]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  });

  it('leaves a hundred of the account’s executions unreserved', () => {
    const reserved = functions.reduce((sum, one) => sum + (one.ReservedConcurrentExecutions ?? 0), 0);
    expect(reserved > 0).toBe(config === everything || config.accountConcurrency >= 200);
    if (reserved > 0) expect(config.accountConcurrency - reserved).toBeGreaterThanOrEqual(100);
  });
});

it('the stage dev fits into a new account, which has ten concurrent executions', () => {
  expect(ofTable.find(({ name }) => name === 'dev')?.accountConcurrency).toBe(10);
});

it('a stage whose queues could take all of the account’s concurrency is refused with the calculation', () => {
  const tooMuch = {
    ...stages.prod,
    accountConcurrency: 10,
    concurrency: { ...stages.prod.concurrency, events: 4, mail: 2, deliveries: 4, 'slow-deliveries': 4 },
  };
  expect(() => parseStage('prod', tooMuch)).toThrow(StageError);
  expect(() => parseStage('prod', tooMuch)).toThrow(
    /concurrency: the queues can take 14 and the schedules 1 of accountConcurrency, 10, which leaves nothing for the API/,
  );
});
