/** Which release can replace another: through the code that CloudFormation runs, and the rollback after a refusal. */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertiesOf, type ReleaseRequest } from '../../infra/cdk/constructs/release-check.ts';
import type { Release } from '../../infra/cdk/release.ts';
import { listen } from '../../infra/emulator/loopback.ts';
import { checkRelease } from '../../infra/ops/doctor/release.ts';
import { synthesized } from './synthesized.ts';

/** Releases 0.1.0 to 0.5.0 of one project, whose format rises twice. */
const releases = {
  '0.2.0': { version: '0.2.0', format: 1, lastOf: {} },
  '0.3.0': { version: '0.3.0', format: 2, lastOf: { 1: '0.2.0' } },
  '0.4.0': { version: '0.4.0', format: 3, lastOf: { 1: '0.2.0', 2: '0.3.0' } },
  'of a new stage': { version: '0.5.0', format: 5, lastOf: { 1: '0.2.0', 2: '0.3.0', 3: '0.4.0' } },
} as const satisfies Record<string, Release>;

const answerSchema = v.object({ Status: v.string(), Reason: v.string(), PhysicalResourceId: v.string() });
let answer: v.InferOutput<typeof answerSchema> | undefined;
const cloudFormation = createServer(async (request, response) => {
  answer = v.parse(answerSchema, await json(request));
  response.end();
});
let ResponseURL: string;
beforeAll(async () => {
  ResponseURL = (await listen(cloudFormation)).origin;
});
afterAll(() => cloudFormation.close());

const functionSchema = v.object({ FunctionName: v.string(), Code: v.object({ ZipFile: v.string() }) });
const check = synthesized()
  .all('dev')
  .find(({ type, stack }) => type === 'Lambda::Function' && stack === 'data');

const invoke = async (request: ReleaseRequest) => {
  const code = v.parse(functionSchema, check?.properties).Code.ZipFile;
  const module: { handler?: (request: ReleaseRequest) => Promise<void> } = {};
  new Function('exports', code)(module);
  await module.handler?.(request);
  if (answer === undefined) throw new Error('CloudFormation got no answer.');
  return answer;
};

/** A stack as CloudFormation updates it: after a failure it sends the earlier properties and the id that it knows. */
const stackOf = async (first: Release) => {
  let [id, properties] = ['', propertiesOf(first)];
  const send = async (RequestType: ReleaseRequest['RequestType'], wanted: typeof properties) => {
    const own = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Release', ResponseURL };
    const deployed = id === '' ? {} : { PhysicalResourceId: id };
    const { Status, Reason, PhysicalResourceId } = await invoke({
      ...own,
      RequestType,
      ...deployed,
      ResourceProperties: wanted,
    });
    if (Status === 'SUCCESS') id = PhysicalResourceId;
    return Status === 'SUCCESS' ? 'passes' : Reason;
  };
  await send('Create', properties);
  return {
    /** Updates the stack; `failsLater` if another resource fails. Returns what the check says, also of a rollback. */
    async update(to: Release, failsLater = false) {
      const result = await send('Update', propertiesOf(to));
      if (result === 'passes' && !failsLater) {
        properties = propertiesOf(to);
        return { result };
      }
      return { result, rollback: await send('Update', properties) };
    },
  };
};

describe('a deployment', () => {
  it('passes to the release with the next format, and back to the one before', async () => {
    const stack = await stackOf(releases['0.2.0']);
    expect(await stack.update(releases['0.3.0'])).toEqual({ result: 'passes' });
    expect(await stack.update(releases['0.4.0'])).toEqual({ result: 'passes' });
    expect(await stack.update(releases['0.3.0'])).toEqual({ result: 'passes' });
  });

  it('that skips a format is refused with the release to deploy first, and its rollback passes', async () => {
    const stack = await stackOf(releases['0.2.0']);
    expect(await stack.update(releases['0.4.0'])).toEqual({
      result: 'The stage has the format 1, and release 0.4.0 reads the formats 2 to 4. Deploy release 0.3.0 first.',
      rollback: 'passes',
    });
    expect(await stack.update(releases['0.3.0'])).toEqual({ result: 'passes' });
  });

  it('that fails later is rolled back to the format before', async () => {
    const stack = await stackOf(releases['0.2.0']);
    expect(await stack.update(releases['0.3.0'], true)).toEqual({ result: 'passes', rollback: 'passes' });
    expect(await stack.update(releases['0.4.0'])).toMatchObject({ rollback: 'passes' });
  });

  it('that goes back two formats is refused, and its rollback passes', async () => {
    const stack = await stackOf(releases['0.4.0']);
    expect(await stack.update(releases['0.2.0'])).toEqual({
      result: expect.stringMatching(
        /^The stage has a later format, and release 0\.2\.0 reads the formats 0 to 2\. Go back/,
      ),
      rollback: 'passes',
    });
  });

  it('to a release that no other leads to asks for a new stage', async () => {
    const stack = await stackOf(releases['0.4.0']);
    expect(await stack.update(releases['of a new stage'])).toMatchObject({
      result: expect.stringContaining('make a new stage'),
    });
  });

  it.each(['dev', 'prod', 'everything'])('of %s changes nothing in the stack data before the check', (stage) => {
    const data = synthesized()
      .all(stage)
      .filter(({ stack }) => stack === 'data');
    const [{ id } = { id: 'missing' }] = data.filter(({ type }) => type === 'Custom::MastheadRelease');
    const others = data.filter((resource) => !resource.id.startsWith('ReleaseCheck'));
    expect(others.length).toBeGreaterThan(20);
    expect(others.filter(({ dependsOn }) => !dependsOn.includes(id))).toEqual([]);
  });
});

it.each(['dev', 'prod', 'everything'])('the one function of the stack data of %s may do nothing', (stage) => {
  const data = synthesized()
    .all(stage)
    .filter(({ stack }) => stack === 'data');
  expect(data.filter(({ type }) => type === 'Lambda::Function')).toHaveLength(1);
  const roles = data.filter(({ type }) => type.startsWith('IAM::'));
  expect(roles.map(({ properties }) => Object.keys(properties))).toEqual([['AssumeRolePolicyDocument']]);
});

describe('the doctor', () => {
  const outputs = (format: number) =>
    new Map([['Stage', JSON.stringify({ name: 'dev', release: '0.2.0', format, input: {} })]]);

  it('stops before a deployment that would be refused, with the release to deploy first', () => {
    expect(checkRelease({ outputs: outputs(1) }, releases['0.4.0'])).toMatchObject([
      { result: 'stops', text: expect.stringMatching(/Deploy release 0\.3\.0 first\. Release 0\.2\.0 is deployed\.$/) },
    ]);
  });

  it('says which release is deployed if this one can replace it', () => {
    expect(checkRelease({ outputs: outputs(1) }, releases['0.3.0'])).toMatchObject([
      { result: 'passed', text: 'Release 0.2.0 is deployed, and this one can replace it.' },
    ]);
  });

  it('skips the check before the first deployment', () => {
    expect(checkRelease({ outputs: new Map() })).toMatchObject([{ result: 'skipped' }]);
  });
});
