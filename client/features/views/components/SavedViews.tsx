import Bookmark from 'lucide-react/icons/bookmark';
import BookmarkPlus from 'lucide-react/icons/bookmark-plus';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { SavedView, ViewPage } from '@matterdesk/contract/views.ts';
import { CallError } from '../../../api.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { useResource } from '../../../core/use-resource.ts';
import { type MenuEntry, MenuButton } from '../../../ui/Menu.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { queryOf, searchOf } from '../rules.ts';
import { viewList } from '../slice.ts';

const SaveView = lazyNamed(() => import('./SaveView.tsx'), 'SaveView');

interface SavedViewsProps {
  page: ViewPage;
  /** The members of the address that make a view: filters, search and order, but not what is open beside the list. */
  members: readonly string[];
}

/** The user's saved views of a list: opens one, saves what is shown as another, and removes the one that is shown. */
export function SavedViews({ page, members }: SavedViewsProps) {
  const [params, setParams] = useSearchParams();
  const { data } = useResource(viewList, 'all');
  const [isSaving, setIsSaving] = useState(false);
  const query = queryOf(params, members);
  const views = data?.filter((view) => view.page === page) ?? [];
  const shown = views.find((view) => view.query === query);
  const entries: MenuEntry[] = [
    ...views.map((view) => ({
      label: view.name,
      current: view === shown,
      onSelect: () => setParams(searchOf(view.query, params, members)),
    })),
    ...(views.length > 0 ? (['line'] as const) : []),
    shown
      ? {
          label: `Remove “${shown.name}”`,
          icon: Trash2,
          tone: 'red',
          onSelect: () => void remove(shown),
        }
      : {
          label: query === '' ? 'Filter or search first, then save it here' : 'Save this view…',
          icon: BookmarkPlus,
          disabled: query === '',
          onSelect: () => setIsSaving(true),
        },
  ];
  return (
    <>
      <MenuButton label="Saved views" icon={Bookmark} heading="Saved views" entries={entries} />
      {isSaving && <SaveView page={page} query={query} onClose={() => setIsSaving(false)} />}
    </>
  );
}

async function remove({ id, ...view }: SavedView) {
  const { deleteView, saveView } = await import('../api.ts');
  try {
    await deleteView({ params: { id } });
  } catch (error) {
    if (error instanceof CallError) return;
    throw error;
  }
  toast.plain(`“${view.name}” is removed`, {
    label: 'Undo',
    run: () => void saveView({ body: view }).catch(() => undefined),
  });
}
