/** Describes the machine in a measurement's report. */
import { availableParallelism, cpus } from 'node:os';

/** Returns the cores and the model of this machine's processor, and the version of Node.js. */
export const machineText = (): string =>
  `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown'}, Node.js ${process.version}`;
