import { contentUrl } from '@matterdesk/contract/files.ts';
import {
  getDocument,
  GlobalWorkerOptions,
  PasswordResponses,
  type PDFDocumentProxy,
  ResponseException,
} from 'pdfjs-dist';
import { useEffect, useState } from 'react';
import { sessionHeaders } from '../../../api.ts';
import type { FileAt } from '../api.ts';

/** Where the build has put what the engine fetches: see vite.config.ts. */
declare const PDF_PARTS: string;

GlobalWorkerOptions.workerSrc = `${PDF_PARTS}/build/pdf.worker.min.mjs`;

/** Bytes of one request for a part of the file. */
const PART = 262_144;

/** In points. */
export type PageSize = { width: number; height: number };
export type Pdf = {
  document: PDFDocumentProxy;
  /** Of its first page. */
  size: PageSize;
};
/** The document is locked; `isWrong` after a password that does not open it. */
export type Locked = { isWrong: boolean; open: (password: string) => void };

/** Opens a PDF; its pages are fetched as they are wanted. */
export function usePdf({ caseId, folder, name }: FileAt) {
  const [pdf, setPdf] = useState<Pdf | null>(null);
  const [locked, setLocked] = useState<Locked | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isGone = false;
    const task = getDocument({
      url: contentUrl(caseId, folder, name),
      httpHeaders: Object.fromEntries(sessionHeaders()),
      rangeChunkSize: PART,
      disableStream: true,
      disableAutoFetch: true,
      cMapUrl: `${PDF_PARTS}/cmaps/`,
      standardFontDataUrl: `${PDF_PARTS}/standard_fonts/`,
      wasmUrl: `${PDF_PARTS}/wasm/`,
      useWasm: false,
      verbosity: 0,
    });
    task.onPassword = (open: (password: string) => void, reason: number) => {
      if (!isGone) setLocked({ isWrong: reason === PasswordResponses.INCORRECT_PASSWORD, open });
    };
    const read = async () => {
      try {
        const document = await task.promise;
        const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 });
        if (isGone) return;
        setLocked(null);
        setPdf({ document, size: { width, height } });
      } catch (error) {
        if (!isGone) setFailure(inWords(error));
      }
    };
    void read();
    return () => {
      isGone = true;
      void task.destroy();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another attempt opens it again
  }, [caseId, folder, name, attempt]);
  const retry = () => {
    setFailure(null);
    setAttempt(attempt + 1);
  };
  return { pdf, locked, failure, retry };
}

function inWords(error: unknown): string {
  if (!(error instanceof ResponseException)) return 'It seems to be broken.';
  return error.status === 0
    ? 'Matterdesk cannot be reached. Please check the connection.'
    : 'Matterdesk did not send it.';
}
