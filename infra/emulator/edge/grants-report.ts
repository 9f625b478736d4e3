/** The IAM report: what the template grants, what of it was used, and what was not. */
import { exemptionOf, type Grant, grantText, unusedGrants } from './grants.ts';

export interface GrantsReport {
  /** One line a grant, sorted by function. */
  readonly text: string;
  /** One line for each grant that must be used and was not. */
  readonly unused: readonly string[];
  readonly summary: string;
}

/** `used` are the positions of the grants that were used. */
export const reportGrants = (grants: readonly Grant[], used: ReadonlySet<string>): GrantsReport => {
  const unused = new Set(unusedGrants(grants, used));
  const states = grants.map((grant) => {
    const exemption = exemptionOf(grant);
    const state = used.has(grant.position) ? 'used' : unused.has(grant) ? 'UNUSED' : `exempt: ${exemption}`;
    return { text: grantText(grant), state };
  });
  const count = (prefix: string) => states.filter(({ state }) => state.startsWith(prefix)).length;
  const summary =
    `IAM: ${grants.length} grants, ${count('used')} used, ${count('exempt')} exempt, ` +
    `${unused.size === 0 ? 'none' : unused.size} unused`;
  const width = Math.max(0, ...states.map(({ text }) => text.length));
  const lines = states.map(({ text, state }) => `${text.padEnd(width)}  ${state}`).toSorted((a, b) => (a < b ? -1 : 1));
  return {
    text: `${[summary, '', ...lines].join('\n')}\n`,
    unused: [...unused].map(grantText).toSorted(),
    summary,
  };
};
