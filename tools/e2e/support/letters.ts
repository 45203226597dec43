import type { Page } from '@playwright/test';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An email file with an HTML body and other parts. */
export function htmlLetter(html: string, parts: readonly string[] = []): Buffer {
  const body = ['Content-Type: text/html; charset=utf-8', '', html].join('\r\n');
  const lines = [
    'From: Piet Voss <voss@example.com>',
    'To: Ama Owusu <ama@example.com>',
    'Subject: Tender of defense',
    'Date: Mon, 16 Nov 2026 10:12:00 -0500',
    'MIME-Version: 1.0',
    'Content-Type: multipart/related; boundary=part',
    '',
    ...[body, ...parts].flatMap((part) => ['--part', part]),
    '--part--',
    '',
  ];
  return Buffer.from(lines.join('\r\n'));
}

/** Every way for a letter to call its sender's server. */
export function beacons(url: string): string {
  return `<html><head>
    <style>@import url("${url}/import.css"); td { background: url(${url}/style.png) }
      @font-face { font-family: f; src: url(${url}/font.woff2) } h1 { font-family: f }</style>
    <style>h1 { background: u\\72l(${url}/escaped.png) }</style>
    <link rel="stylesheet" href="${url}/link.css"><link rel="prefetch" href="${url}/prefetch">
    <link rel="preload" as="image" href="${url}/preload.png"><link rel="icon" href="${url}/icon.png">
    <meta http-equiv="refresh" content="0;url=${url}/refresh"><base href="${url}/">
    <script src="${url}/script.js"></script><script>parent.hasRun = true; fetch("${url}/fetch")</script>
    </head><body background="${url}/body.png" onload="parent.hasRun = true">
    <h1>Good day</h1><p style="background-image: url('${url}/inline.png')">A word with you.</p>
    <img src="${url}/image.png" alt="A picture"><img srcset="${url}/srcset.png 2x" alt="">
    <img src="x" onerror="parent.hasRun = true" alt=""><img src="//${new URL(url).host}/bare.png" alt="">
    <picture><source srcset="${url}/source.png"><img src="${url}/picture.png" alt=""></picture>
    <video poster="${url}/poster.png" src="${url}/video.mp4" autoplay></video>
    <audio src="${url}/audio.mp3" autoplay></audio>
    <iframe src="${url}/frame"></iframe><iframe srcdoc="<img src=${url}/srcdoc.png>"></iframe>
    <object data="${url}/object"></object><embed src="${url}/embed">
    <svg><image href="${url}/svg.png"/><script>parent.hasRun = true</script><use href="${url}/use.svg#a"/></svg>
    <math><mtext><img src="${url}/math.png"></mtext></math>
    <table background="${url}/table.png"><tr><td>a</td><th background="${url}/cell.png">b</th></tr></table>
    <form action="${url}/form"><input type="image" src="${url}/input.png"><button autofocus>Send</button></form>
    <a href="javascript:parent.hasRun = true">Run</a> <a href="${url}/linked" ping="${url}/ping">Read</a>
    </body></html>`;
}

/** A server that records its requests. */
export async function listen() {
  const asked: string[] = [];
  const server = createServer((request, reply) => {
    const { url = '', headers } = request;
    asked.push(url);
    if (url === '/letter')
      reply.setHeader('content-type', 'text/html').end(beacons(`http://${headers.host}`));
    else reply.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** After two paints a page has sent all its initial requests. */
export async function painted(page: Page) {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}
