/** Which function of the contract a physical name means, for whoever reads what the edge says. */
import { type ContractLine, contract } from '../../../shared/contract.ts';

const names = (contract as readonly ContractLine[])
  .map((line) => line.function)
  // The longest first: one name may be the end of another.
  .toSorted((a, b) => b.length - a.length);

const known = new Map<string, string>();

/** `webhooks/create` for `masthead-<stage>-webhooks-create`; the name itself where the contract has no such function. */
export const functionOf = (physicalName: string): string => {
  let found = known.get(physicalName);
  if (found === undefined) {
    found = names.find((name) => physicalName.endsWith(`-${name.replaceAll('/', '-')}`)) ?? physicalName;
    known.set(physicalName, found);
  }
  return found;
};
