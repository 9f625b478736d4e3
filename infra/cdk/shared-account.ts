/** What stages that share an account and region also share: its concurrent executions, and SES's rate. */
import { executionsOf, type StageConfig } from './stage.ts';

/** The quota of SES's sandbox: https://docs.aws.amazon.com/ses/latest/dg/request-production-access.html */
export const sandboxQuota = { perSecond: 1, perDay: 200 } as const;

/** Returns the stages in the account and region of a stage, itself included. Without `account` it shares nothing. */
export const sharingWith = (config: StageConfig, all: readonly StageConfig[]): readonly StageConfig[] =>
  config.account === undefined
    ? [config]
    : all.filter(({ account, region }) => account === config.account && region === config.region);

/** Returns what several stages take together. */
export const togetherOf = (configs: readonly StageConfig[]) => {
  const sum = (pick: (config: StageConfig) => number) => configs.reduce((all, config) => all + pick(config), 0);
  return {
    executions: sum((config) => executionsOf(config).queues + executionsOf(config).schedules),
    perSecond: sum(({ settings }) => settings.mail.perSecond),
    perDay: sum(({ settings }) => settings.mail.perDay ?? Number.POSITIVE_INFINITY),
  };
};

/** Names stages in a sentence: `dev and prod`. */
export const namesOf = (configs: readonly StageConfig[]): string => configs.map(({ name }) => name).join(' and ');

/** Finds what is right for each stage, and wrong for stages that share an account. */
export const wrongTogether = (all: readonly StageConfig[]): string[] =>
  all.flatMap((config) => {
    const group = sharingWith(config, all);
    return group.length > 1 && group[0] === config ? wrongIn(group, config.account ?? '') : [];
  });

const wrongIn = (group: readonly StageConfig[], account: string): string[] => {
  const { executions, perSecond, perDay } = togetherOf(group);
  const names = namesOf(group);
  const quota = Math.min(...group.map(({ accountConcurrency }) => accountConcurrency));
  const faults: string[] = [];
  const agree = (field: string, of: (config: StageConfig) => unknown, rule: string) => {
    const isOne = new Set(group.map(of)).size === 1;
    const values = group.map((config) => `${of(config)} for ${config.name}`).join(' and ');
    if (!isOne) faults.push(`${field} is ${values}, which share the account ${account}: ${rule}.`);
    return isOne;
  };
  const isOneQuota = agree('accountConcurrency', (config) => config.accountConcurrency, 'it has one quota');
  if (isOneQuota && executions >= quota)
    faults.push(
      `concurrency: the queues and schedules of ${names} can take ${executions} of the ${quota} executions of the ` +
        `account ${account}, which leaves nothing for the API. ` +
        'Lower the caps, or request a quota and set accountConcurrency of both to it.',
    );
  const isOneSandbox = agree(
    'mail.sandbox',
    ({ settings }) => settings.mail.sandbox,
    'SES puts a whole account into its sandbox',
  );
  const isSandbox = isOneSandbox && group.some(({ settings }) => settings.mail.sandbox);
  if (isSandbox && (perSecond > sandboxQuota.perSecond || perDay > sandboxQuota.perDay))
    faults.push(
      `mail: ${names} send up to ${perSecond} mails a second and ${perDay} a day in the account ${account}, whose ` +
        `sandbox allows ${sandboxQuota.perSecond} and ${sandboxQuota.perDay}. ` +
        'Give each a part (mail.perSecond, mail.perDay).',
    );
  return faults;
};
