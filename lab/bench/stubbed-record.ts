/** Records deliveries as `shared/deliveries/records/record.ts` does, but logs and counts nothing. */
export {
  recordStep as recordAndCountStep,
  recordSuccesses as recordAndCountSuccesses,
} from '../../shared/deliveries/records/store.ts';
