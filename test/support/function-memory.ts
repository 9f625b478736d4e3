/** The memory of a deployed function, and the share of a CPU that comes with it. */
import { type ContractLine, contract, defaultMemoryMb } from '../../shared/contract.ts';

/** A function with this memory in MiB has one virtual CPU (AWS: Configure Lambda function memory). */
const memoryOfOneCpu = 1769;

const lines: readonly ContractLine[] = contract;

/** Returns the memory in MiB of a function, by its name in the contract. */
export const memoryOf = (name: string): number =>
  lines.find((line) => line.function === name)?.memoryMb ?? defaultMemoryMb;

/** Returns the virtual CPUs of a memory size in MiB, also above one. */
export const cpusOf = (memoryMb: number): number => memoryMb / memoryOfOneCpu;
