import { statuses } from '../status.ts';

/** Colours of statuses and families, with enough contrast on both backgrounds; the words stand beside them. */
export const style = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1c1e21;--soft:#5d636b;--line:#d8dce1;--head:#f4f6f8;
--affected:#c8372d;--partial:#b87500;--unaffected:#2b8a3e;--patched:#2b8a3e;--stale:#b87500;--modified:#c8372d;
--unknown:#8a3ffc;--unreadable:#8a3ffc;--timed-race:#7a8699;--inactivity:#0f8b8d;--first-result:#3b6fd4;--run-end:#a24bb5}
@media(prefers-color-scheme:dark){:root{--bg:#16181b;--fg:#e6e8eb;--soft:#a0a7b0;--line:#33383e;--head:#1f2226;
--affected:#ff7b72;--partial:#e3a008;--unaffected:#56c46c;--patched:#56c46c;--stale:#e3a008;--modified:#ff7b72;
--unknown:#c09bff;--unreadable:#c09bff;--timed-race:#8f9bae;--inactivity:#3fc1c3;--first-result:#79a6ff;--run-end:#d58ae6}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1600px;padding:16px;background:var(--bg);color:var(--fg);font:14px/1.45 system-ui,sans-serif}
h1{font-size:20px;margin:0 0 4px}#summary{margin:0 0 16px;color:var(--soft)}
figure{margin:0 0 16px}figcaption{color:var(--soft);font-size:12px}.scroll{overflow-x:auto}
svg text{font-size:11px;fill:var(--fg)}svg .axis{font-size:10px;fill:var(--soft)}svg .mark{fill:var(--fg)}
svg .off{opacity:.12}
.key::before{content:"";display:inline-block;width:10px;height:10px;margin:0 4px 0 8px;background:currentColor}
${[...statuses, 'timed-race', 'inactivity', 'first-result', 'run-end']
  .map((name) => `.${name}{color:var(--${name});fill:var(--${name})}`)
  .join('')}
form{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;margin:0 0 8px;padding:8px;background:var(--head);border:1px solid var(--line);position:sticky;top:0}
input,select{font:inherit;color:inherit;background:var(--bg);border:1px solid var(--line);padding:2px 6px}
output{margin-left:auto;color:var(--soft)}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:6px 8px;border-bottom:1px solid var(--line)}
thead th{background:var(--head)}tbody th{font-variant-numeric:tabular-nums;white-space:nowrap}
ul{margin:0;padding:0;list-style:none}.status{font-weight:600}.news{font-weight:600;color:var(--partial)}
tr:target{outline:2px solid var(--first-result);scroll-margin-top:60px}tr{scroll-margin-top:60px}
`;

/** Filters rows, and dims what they leave out in the picture. The filter is kept in the address, so that it can be sent. */
export const script = `
const $=(id)=>document.getElementById(id);
const names=['version','status','family','change','unpatchable'];
const rows=[...document.querySelectorAll('tbody tr')];
const links=[...document.querySelectorAll('svg a')];
const value=(name)=>$(name).type==='checkbox'?($(name).checked?'1':''):$(name).value.trim();
function wanted(row){
  const d=row.dataset,has=(list,word)=>word===''||list.split(' ').includes(word);
  return d.version.startsWith(value('version'))&&has(d.status,value('status'))&&has(d.family,value('family'))&&
    has(d.change,value('change'))&&(value('unpatchable')===''||d.patchable==='false');
}
function filter(){
  const shown=new Set();
  for(const row of rows){row.hidden=!wanted(row);if(!row.hidden)shown.add(row.dataset.version)}
  for(const link of links)link.classList.toggle('off',!shown.has(link.dataset.version));
  $('count').textContent=shown.size+' of '+rows.length;
  $('none').hidden=shown.size>0;
}
function keep(){
  const query=new URLSearchParams(names.map((name)=>[name,value(name)]).filter(([,text])=>text!==''));
  try{history.replaceState(null,'','?'+query+location.hash)}catch{}
}
const query=new URLSearchParams(location.search);
for(const name of names)if(query.has(name)){if($(name).type==='checkbox')$(name).checked=true;else $(name).value=query.get(name)}
$('filter').addEventListener('input',()=>{filter();keep()});
$('filter').addEventListener('submit',(event)=>event.preventDefault());
filter();
`;
