import { useState } from 'react';
import { PageControl } from './PageControl.tsx';
import { TextPage } from './TextPage.tsx';
import { usePageText } from './use-page-text.ts';
import { ViewerBar } from './ViewerBar.tsx';
import type { ViewerProps } from '../rules.shown.ts';

/** The text that training extracted from a file, page by page. */
export function TextView({ shown, modes }: ViewerProps) {
  const [page, setPage] = useState(shown.page ?? 1);
  const { text, failure, retry } = usePageText(shown, page);
  return (
    <>
      <ViewerBar modes={modes}>
        <PageControl page={page} pages={text?.pages ?? page} onChange={setPage} />
      </ViewerBar>
      <TextPage
        text={text}
        failure={failure}
        onRetry={retry}
        passage={shown.passage}
        sentence={shown.sentence}
      />
    </>
  );
}
