import type { PayloadAction } from '@reduxjs/toolkit';
import type { CaseDocument, Template, TemplateField } from '@matterdesk/contract/templates.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { filedToCase } from '../../core/filed.ts';
import { type Entries, keyOf, resource } from '../../core/resource.ts';

type TemplatesState = {
  lists: Entries<Template[], Template>;
  fields: Entries<TemplateField[]>;
  made: Entries<CaseDocument[]>;
};

declare module '../../core/store.ts' {
  interface RootState {
    templates: TemplatesState;
  }
}

// Loaded when it is needed: the shell, which has every slice, does not know the whole contract.
const routes = async () => (await import('@matterdesk/contract/templates.ts')).templateRoutes;

export const ALL = 'all';

const NEWEST = 50;

/** All templates that the reader may see, by name. */
export const templateList = resource({
  kept: 1,
  fetch: async (_: typeof ALL, { read }): Promise<Template[]> =>
    (await read((await routes()).listTemplates)).templates,
  apply: (_, { data }, changed: Template) => {
    const rest = data.filter(({ id }) => id !== changed.id);
    return [...rest, changed].toSorted((a, b) => a.name.localeCompare(b.name));
  },
});

/** Fields that templates can name. */
export const templateFields = resource({
  kept: 1,
  isFixed: true,
  fetch: async (_: typeof ALL, { read }): Promise<TemplateField[]> =>
    (await read((await routes()).listTemplateFields)).fields,
});

/** The newest documents of a case. */
export const madeDocuments = resource({
  kept: 3,
  fetch: async (id: string, { read }): Promise<CaseDocument[]> => {
    const sent = { params: { id }, query: { limit: NEWEST } };
    return (await read((await routes()).listDocuments, sent)).documents;
  },
});

/** Templates, and what was made from them. */
const slice = featureSlice(
  'templates',
  { lists: templateList, fields: templateFields, made: madeDocuments },
  {
    on: {
      /** A template was added or changed here. */
      templateChanged(state, { payload }: PayloadAction<Template>) {
        templateList.apply(state, payload);
      },
    },
    others(builder) {
      builder.addCase(filedToCase, (state, { payload: caseId }) =>
        madeDocuments.invalidate(state, keyOf(caseId)),
      );
    },
  },
);

export const templatesReducer = slice.reducer;
export const { templateChanged } = slice.actions;
