/** Whether this release can replace the deployed one; deployments ask too (`infra/cdk/constructs/release-check.ts`). */
import * as v from 'valibot';
import { refusalOf, release } from '../../cdk/release.ts';
import { outputSchema } from '../deployed-stage.ts';
import { type Examined, type Found, passed, skipped, stops } from './finding.ts';

export const checkRelease = ({ outputs }: Pick<Examined, 'outputs'>, own = release): Found[] => {
  const output = outputs.get('Stage');
  if (output === undefined) return [skipped('The stack data is not deployed.')];
  const deployed = v.parse(outputSchema, output);
  const refusal = refusalOf(deployed.format, own);
  if (refusal !== undefined)
    return [stops(`${refusal} Release ${deployed.release} is deployed.`, 'docs/formats.md#upgrades')];
  return [passed(`Release ${deployed.release} is deployed, and this one can replace it.`)];
};
