/** The look of public pages, whose policy lets in no other. */
export const FORM_STYLE = `
:root{color-scheme:light dark;--paper:light-dark(#fbfaf8,#131214);--surface:light-dark(#fff,#1a191c);
--line:light-dark(#d3cfc6,#3b3840);--ink:light-dark(#1c1a17,#f2f0ec);--quiet:light-dark(#57534b,#b5b0a8);
--accent:light-dark(#4338ca,#a5b0fb);--on:light-dark(#fff,#16163a);--red:light-dark(#b42318,#f8a49b);
--soft:light-dark(#fdf0ee,#3a1c1a)}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 Inter,system-ui,sans-serif}
header,main{max-width:36rem;margin:0 auto;padding:0 20px}
header{padding-block:14px;font:600 18px/1.3 'Source Serif 4',Georgia,serif}
body:has(header){border-top:0}
main{padding-bottom:32px}
h1{margin:12px 0 4px;font:550 26px/1.25 'Source Serif 4',Georgia,serif}
p{margin:0}
.intro,.notice{color:var(--quiet);white-space:pre-line}
.notice{margin-top:14px;font-size:14px}
form>div,fieldset{margin:16px 0 0;padding:0;border:0;min-width:0}
label,legend{display:block;padding:0;margin-bottom:4px;font-size:15px;font-weight:500}
input:not([type=checkbox],[type=radio],[type=hidden]),select,textarea{display:block;width:100%;min-height:44px;
padding:9px 12px;border:1px solid var(--line);border-radius:8px;background:var(--surface);color:inherit;font:inherit}
input[type=checkbox],input[type=radio]{width:20px;height:20px;margin:2px 0 0;flex:none;accent-color:var(--accent)}
label.choice{display:flex;gap:12px;min-height:44px;align-items:flex-start;padding-block:8px;margin:0;font-weight:400}
.note{color:var(--quiet);font-size:14px;font-weight:400}
.error{margin-top:4px;color:var(--red);font-size:14px}
[aria-invalid] :is(input,select,textarea),:is(input,select,textarea)[aria-invalid]{border-color:var(--red)}
.wrong{margin-top:16px;padding:12px 16px;border:1px solid var(--red);border-radius:8px;background:var(--soft)}
.wrong p{font-weight:500}.wrong ul{margin:4px 0 0;padding-left:20px}.wrong a{color:inherit}
button{width:100%;min-height:48px;margin-top:16px;border:0;border-radius:8px;background:var(--accent);color:var(--on);
font:500 16px/1 inherit;font-family:inherit;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.trap{position:absolute;left:-10000px;width:1px;height:1px;overflow:hidden}
`;
