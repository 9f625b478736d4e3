/** Stages of one account and region share its quotas: synth adds up what each of them takes. */
import { describe, expect, it } from 'vitest';
import { parseStage } from '../../infra/cdk/parse-stage.ts';
import { wrongTogether } from '../../infra/cdk/shared-account.ts';
import type { StageInput } from '../../infra/cdk/stage.ts';
import { stages } from '../../infra/cdk/stages.ts';

const account = '111111111111';
const faultsOf = (...inputs: readonly [string, StageInput][]) =>
  wrongTogether(inputs.map(([name, input]) => parseStage(name, input)));
const dev: StageInput = { ...stages.dev, account };

describe('two stages', () => {
  it('of one new account do not fit into its ten executions, and the refusal has the sum', () => {
    expect(faultsOf(['dev', dev], ['test', { ...dev, mail: { ...dev.mail, perSecond: 0.5, perDay: 100 } }])).toContain(
      'concurrency: the queues and schedules of dev and test can take 18 of the 10 executions of the account ' +
        '111111111111, which leaves nothing for the API. Lower the caps, or request a quota and set ' +
        'accountConcurrency of both to it.',
    );
  });

  it('of one account in SES’s sandbox must share one mail a second and 200 a day', () => {
    const raised = { ...dev, accountConcurrency: 1000 };
    expect(faultsOf(['dev', raised], ['test', raised])).toEqual([
      'mail: dev and test send up to 2 mails a second and 400 a day in the account 111111111111, whose sandbox ' +
        'allows 1 and 200. Give each a part (mail.perSecond, mail.perDay).',
    ]);
    const half = { ...raised, mail: { ...dev.mail, perSecond: 0.5, perDay: 100 } };
    expect(faultsOf(['dev', half], ['test', half])).toEqual([]);
  });

  it('of one account agree on what the account allows', () => {
    const prod: StageInput = { ...stages.prod, account };
    expect(faultsOf(['dev', dev], ['prod', prod])).toEqual([
      'accountConcurrency is 10 for dev and 1000 for prod, which share the account 111111111111: it has one quota.',
      'mail.sandbox is true for dev and false for prod, which share the account 111111111111: ' +
        'SES puts a whole account into its sandbox.',
    ]);
  });

  it('of two accounts or regions share nothing, nor do stages whose account is not known', () => {
    expect(faultsOf(['dev', dev], ['test', { ...dev, account: '222222222222' }])).toEqual([]);
    expect(faultsOf(['dev', dev], ['test', { ...dev, region: 'eu-west-1' }])).toEqual([]);
    expect(faultsOf(['dev', { ...dev, account: undefined }], ['test', { ...dev, account: undefined }])).toEqual([]);
  });
});
