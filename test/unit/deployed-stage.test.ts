/** How `ops` finds a stage of somebody's own app: by the output of its stack `data`. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { physicalName } from '../../infra/cdk/names.ts';
import { deployedStage } from '../../infra/ops/deployed-stage.ts';

const cloudFormation = mockClient(CloudFormationClient);
const region = process.env.AWS_REGION;
afterAll(() => {
  cloudFormation.restore();
  if (region === undefined) delete process.env.AWS_REGION;
  else process.env.AWS_REGION = region;
});

const input = {
  region: null,
  publication: { name: 'Field Notes', url: 'https://fieldnotes.press' },
  mail: { from: 'desk@fieldnotes.press' },
};
const stackOf = (StackName: string, output: object, application = 'masthead') => ({
  StackName,
  StackStatus: 'CREATE_COMPLETE' as const,
  CreationTime: new Date(0),
  Tags: [{ Key: 'application', Value: application }],
  Outputs: [{ OutputKey: 'Stage', OutputValue: JSON.stringify(output) }],
});
const notes = stackOf('masthead-notes-data', { name: 'notes', release: '0.2.0', format: 1, input });
const own = { name: 'notes', release: '0.2.0', format: 1, input: { ...input, namePrefix: 'press' } };

const deployed = (...pages: (typeof notes)[][]) => {
  const answers = cloudFormation.reset().on(DescribeStacksCommand);
  pages.forEach((Stacks, page) => {
    answers.resolvesOnce({ Stacks, ...(page < pages.length - 1 && { NextToken: String(page) }) });
  });
};
beforeEach(() => {
  process.env.AWS_REGION = 'eu-central-1';
});

describe('a command', () => {
  it('finds a stage on any page of stacks, in the region of the profile', async () => {
    deployed([stackOf('other', { name: 'notes' }, 'another')], [notes]);
    const config = await deployedStage('notes');
    expect(config).toMatchObject({ name: 'notes', region: 'eu-central-1', settings: { stage: 'notes' } });
    expect(physicalName(config, 'api')).toBe('masthead-notes-api');
  });

  it('takes the prefix where two stages have one name, and asks for it without', async () => {
    const stacks = [notes, stackOf('press-notes-data', own)];
    deployed(stacks);
    expect(physicalName(await deployedStage('press-notes'))).toBe('press-notes');
    deployed(stacks);
    await expect(deployedStage('notes')).rejects.toThrow(
      'has 2 stages notes. Name one of masthead-notes, press-notes.',
    );
  });

  it('names the deployed stages if there is no such one', async () => {
    deployed([notes]);
    await expect(deployedStage('weekly')).rejects.toThrow(
      'No stage weekly is deployed in eu-central-1. Deployed there: masthead-notes.',
    );
  });

  it('names the release whose settings it does not know', async () => {
    deployed([stackOf('later', { name: 'notes', release: '0.9.0', format: 1, input: { ...input, later: true } })]);
    await expect(deployedStage('notes')).rejects.toThrow(
      /^The stage of release 0\.9\.0: .*\n {2}later: unknown setting\./,
    );
  });
});
