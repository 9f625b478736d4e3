/** Reports known vulnerabilities of the packages in the lockfile, by `npm audit`. */
import * as v from 'valibot';
import { npm } from './npm.ts';

const auditSchema = v.object({
  vulnerabilities: v.record(v.string(), v.looseObject({ severity: v.string(), range: v.string() })),
});

const isSerious = ({ severity }: { readonly severity: string }) => severity === 'high' || severity === 'critical';

/** Returns the report of `npm audit`, or undefined without one: no network, or a registry that does not audit. */
const readReport = (stdout: string) => {
  try {
    const { success, output } = v.safeParse(auditSchema, JSON.parse(stdout));
    return success ? output : undefined;
  } catch {
    return undefined;
  }
};

/** Returns false for a high or critical vulnerability, or if no answer came within `timeoutMs`: nothing was checked. */
export const checkVulnerabilities = (timeoutMs: number): boolean => {
  const fetching = ['--fetch-retries=0', `--fetch-timeout=${timeoutMs}`];
  const { stdout } = npm(['audit', '--json', '--package-lock-only', ...fetching], timeoutMs + 2000);
  const report = readReport(stdout);
  if (report === undefined) {
    console.error(
      'npm audit: the registry did not answer, so vulnerabilities were NOT checked. ' +
        'Where it never does, add --without-audit.',
    );
    return false;
  }
  const found = Object.entries(report.vulnerabilities);
  console.log(`npm audit: ${found.length} packages with known vulnerabilities`);
  for (const [name, one] of found) console[isSerious(one) ? 'error' : 'log'](`  ${one.severity}: ${name} ${one.range}`);
  return !found.some(([, one]) => isSerious(one));
};
