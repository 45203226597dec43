import { accessReducer } from '../features/access/slice.ts';
import { recordReducer } from '../features/audit/slice.ts';
import { calendarReducer } from '../features/calendar/slice.ts';
import { conflictsReducer } from '../features/conflicts/slice.ts';
import { contactsReducer } from '../features/contacts/slice.ts';
import { overviewReducer } from '../features/dashboard/slice.ts';
import { deadlinesReducer } from '../features/deadlines/slice.ts';
import { intakesReducer } from '../features/intakes/slice.ts';
import { noticesReducer } from '../features/notices/slice.ts';
import { packsReducer } from '../features/packs/slice.ts';
import { streamReducer } from '../features/stream/slice.ts';
import { templatesReducer } from '../features/templates/slice.ts';
import { trayReducer } from '../features/tray/slice.ts';
import { viewsReducer } from '../features/views/slice.ts';
import { invalidation } from './invalidation.ts';
import { addLater } from './root-store.ts';

const slices = {
  access: accessReducer,
  calendar: calendarReducer,
  conflicts: conflictsReducer,
  contacts: contactsReducer,
  deadlines: deadlinesReducer,
  intakes: intakesReducer,
  notices: noticesReducer,
  overview: overviewReducer,
  packs: packsReducer,
  record: recordReducer,
  stream: streamReducer,
  templates: templatesReducer,
  tray: trayReducer,
  views: viewsReducer,
};
addLater(slices, invalidation);
