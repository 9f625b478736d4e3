/** Every stack has room below CloudFormation's limit of 500 resources, and none waits for an export of another. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contract } from '../../shared/contract.ts';
import { synthesizedStages } from './stages.ts';
import { synthesized } from './synthesized.ts';

const templates = synthesized();
const operations = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');

/** Half of what CloudFormation allows. */
const most = 250;
/** Resources that an endpoint with canary deployments adds: function, role, version, alias and deployment group. */
const perEndpoint = 5;
const endpointsToCome = 14;

describe.each(synthesizedStages)('the stage $name', ({ name, pipeline, egress }) => {
  const sizes = [...Map.groupBy(templates.all(name), ({ stack }) => stack)].map(
    ([stack, { length }]) => [stack, length] as const,
  );

  it('has one stack for each purpose', () => {
    expect(sizes.map(([stack]) => stack).sort()).toEqual(
      [
        ...['data', 'mail', 'observability', 'api', 'delivery', 'mailing', 'publishing', 'admin'],
        ...(pipeline ? ['pipeline'] : []),
        ...(egress && 'natGateways' in egress ? ['network'] : []),
      ].sort(),
    );
  });

  it('has no more IAM roles than docs/operations.md says', () => {
    const [, most = ''] = /A stage has up to (\d+) IAM roles/.exec(operations) ?? [];
    const roles = templates.all(name).filter(({ type }) => type === 'IAM::Role').length;
    expect(roles).toBeGreaterThan(60);
    expect(roles).toBeLessThanOrEqual(Number(most));
  });

  it.each(sizes)(
    `has room in the stack %s, whose size is %i, for ${endpointsToCome} more endpoints`,
    (_stack, size) => {
      expect(contract.length).toBeGreaterThan(0);
      expect(size + endpointsToCome * perEndpoint).toBeLessThanOrEqual(most);
    },
  );
});
