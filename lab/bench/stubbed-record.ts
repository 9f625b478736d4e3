/** Records deliveries as `shared/deliveries/records/record.ts` does, but logs and counts nothing. */
import { recordStep, recordSuccesses } from '../../shared/deliveries/records/store.ts';

export const recordAndCountStep = recordStep;
export const recordAndCountSuccesses = recordSuccesses;
