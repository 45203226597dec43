import { accessReducer } from '../features/access/slice.ts';
import { recordReducer } from '../features/audit/slice.ts';
import { intakesReducer } from '../features/intakes/slice.ts';
import { noticesReducer } from '../features/notices/slice.ts';
import { addSlices } from './root-store.ts';

addSlices({
  access: accessReducer,
  intakes: intakesReducer,
  notices: noticesReducer,
  record: recordReducer,
});
