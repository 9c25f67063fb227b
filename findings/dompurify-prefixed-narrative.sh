#!/usr/bin/env bash
# DOMPurify 3.4.18 (with jsdom 26.1.0) and FHIR narratives that write XHTML with a namespace prefix.
#
# FHIR R4 wants a narrative to be XHTML, and XML lets its elements carry a prefix: <h:p xmlns:h="…/1999/xhtml"> is the same
# element as <p>. DOMPurify is given the parsed elements, and told that they are XHTML, yet it looks up nodeName ("h:p")
# and not localName ("p") in its list. It takes the element away and keeps its text, without a separator: the values of
# two paragraphs run into each other.
#
# Seen on 2026-11-28:
#   without a prefix: <div xmlns="http://www.w3.org/1999/xhtml"><p>Potassium 3.1</p><p>Sodium 140</p></div>
#   with a prefix:    Potassium 3.1Sodium 140
#
# The script needs Node and npm. It ends with 1 if the behaviour has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund dompurify@3.4.18 jsdom@26.1.0
cat >look.mjs <<'SCRIPT'
import createDOMPurify from 'dompurify';
import { JSDOM } from 'jsdom';

const { window } = new JSDOM('');
const { sanitize } = createDOMPurify(window);
const type = 'application/xhtml+xml';
const clean = (xml) =>
  sanitize(new window.DOMParser().parseFromString(xml, type).documentElement, { PARSER_MEDIA_TYPE: type });

const namespace = 'http://www.w3.org/1999/xhtml';
console.log(clean(`<div xmlns="${namespace}"><p>Potassium 3.1</p><p>Sodium 140</p></div>`));
console.log(clean(`<h:div xmlns:h="${namespace}"><h:p>Potassium 3.1</h:p><h:p>Sodium 140</h:p></h:div>`));
SCRIPT
node look.mjs | tee seen.txt
cat >expected.txt <<'TEXT'
<div xmlns="http://www.w3.org/1999/xhtml"><p>Potassium 3.1</p><p>Sodium 140</p></div>
Potassium 3.1Sodium 140
TEXT
diff expected.txt seen.txt || { echo 'The behaviour has changed.'; exit 1; }
