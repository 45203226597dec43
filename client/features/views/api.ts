import { viewRoutes } from '@matterdesk/contract/views.ts';
import { mutation } from '../../core/mutation.ts';
import { store } from '../../core/store.ts';
import { viewList } from './slice.ts';

const refreshViews = () => void store.dispatch(viewList.invalidated());

export const saveView = mutation(viewRoutes.saveView, 'Couldn’t save the view', {
  done: refreshViews,
});

export const deleteView = mutation(viewRoutes.deleteView, 'Couldn’t remove the view', {
  toasts: 'errors',
  done: refreshViews,
});
