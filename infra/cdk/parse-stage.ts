/** Validates a stage of the stage table: an error names stage, field, value and reason. */
import * as v from 'valibot';
import { contract, queueSources } from '../../shared/contract.ts';
import { commonEvents } from '../../shared/foundation/event-names.ts';
import { type Settings, settingsSchema } from '../../shared/foundation/settings.ts';
import { functionSettings, maxConcurrencyOf, type StageConfig, stageName, stageSchema } from './stage.ts';

/** Bytes of a function's 4 KiB of environment that are left beside URLs and names. */
const settingsBytes = 3000;

/** A stage has wrong values; the message lists them and needs no stack trace. */
export class StageError extends Error {
  override readonly name = 'StageError';
}

/**
 * Validates one stage of the stage table.
 * @throws StageError that lists every wrong value with stage, field, value and reason
 */
export const parseStage = (name: string, input: unknown): StageConfig => {
  const parsedName = v.safeParse(stageName, name);
  if (!parsedName.success) {
    throw new StageError(
      `infra/cdk/stages.ts: the name ${JSON.stringify(name)} of a stage ${parsedName.issues[0].message}.`,
    );
  }
  const parsed = v.safeParse(stageSchema, input);
  if (!parsed.success) refuse(name, parsed.issues.map(describe));
  const ofFunctions = Object.entries(parsed.output).filter(([key]) => Object.hasOwn(functionSettings, key));
  const settings = v.parse(settingsSchema, { stage: name, ...Object.fromEntries(ofFunctions) });
  const config: StageConfig = { ...parsed.output, name, settings };
  const contradictions = contradictionsIn(config);
  if (contradictions.length > 0) refuse(name, contradictions);
  return config;
};

const refuse: (name: string, faults: readonly string[]) => never = (name, faults) => {
  throw new StageError(
    `infra/cdk/stages.ts: the stage ${name} is not valid.\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
  );
};

const describe = (issue: v.BaseIssue<unknown>): string => {
  const field = v.getDotPath(issue) ?? 'the stage';
  if (issue.type === 'strict_object' && issue.expected === 'never') return `${field}: unknown setting.`;
  if (issue.input === undefined) return `${field} is missing.`;
  const rule = issue.message.replace(/^must /, 'It must ').replace(/\.$/, '');
  return `${field} is ${JSON.stringify(issue.input)}. ${rule}.`;
};

const isTimezone = (name: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
};

/** A publisher could send an event that has the name of one of Masthead's, and the caps count the webhooks of a name once. */
const wrongOwnEvents = ({ ownEvents }: Settings): string[] =>
  ownEvents.flatMap((name, position) => {
    if (commonEvents.includes(name)) return [`ownEvents has "${name}", which every stage has. Remove it or rename it.`];
    return ownEvents.indexOf(name) < position ? [`ownEvents has "${name}" more than once. Remove one of them.`] : [];
  });

/** Values that are valid by themselves and contradict each other or the time zones that exist. */
const contradictionsIn = (config: StageConfig): string[] => {
  const { accountConcurrency, features, senderHostedZone, settings } = config;
  const faults = wrongOwnEvents(settings);
  const senderDomain = settings.mail.from.replace(/^.*@/, '');
  if (features.canary && !features.alarms) {
    faults.push(
      'features.canary is true, but features.alarms is not: without alarms, no bad version would be rolled back.',
    );
  }
  if (senderHostedZone && senderHostedZone.name !== senderDomain) {
    faults.push(
      `senderHostedZone.name is "${senderHostedZone.name}": it must be the domain of mail.from, ${senderDomain}, because SES verifies that domain.`,
    );
  }
  const { timezone } = settings.publication;
  if (!isTimezone(timezone)) {
    faults.push(
      `publication.timezone is "${timezone}". It must be a time zone of the IANA database such as Europe/Berlin.`,
    );
  }
  const { sandbox, perSecond, perDay } = settings.mail;
  if (sandbox && (perSecond > 1 || perDay === null || perDay > 200)) {
    faults.push(
      `mail.sandbox is true, but mail.perSecond is ${perSecond} and mail.perDay is ${perDay}: SES's sandbox sends one mail a second and 200 a day.`,
    );
  }
  const workers = queueSources().reduce((sum, source) => sum + (maxConcurrencyOf(config, source) ?? 0), 0);
  const schedules = contract.filter(({ kind }) => kind === 'schedule').length;
  if (workers + schedules >= accountConcurrency) {
    faults.push(
      `concurrency: the queues can take ${workers} and the schedules ${schedules} of accountConcurrency, ${accountConcurrency}, which leaves nothing for the API. ` +
        'Lower the caps, or request a quota from AWS and set accountConcurrency to it.',
    );
  }
  const bytes = Buffer.byteLength(JSON.stringify(settings));
  if (bytes > settingsBytes) {
    faults.push(
      `its settings for the functions take ${bytes} bytes: at most ${settingsBytes} fit into their environment (AWS: 4 KiB in all).`,
    );
  }
  return faults;
};
