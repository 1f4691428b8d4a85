// A promise of the end of loading, and of changes after it; times in milliseconds.
//
// A page without scripts is settled when it is loaded. Others are when there is something to read,
// and for `quiet` nothing was added to the DOM, no resource arrived, and no answer was waited for;
// or `most` after loading.
(quiet, most) =>
    new Promise((done) => {
        // Names are looked up on prototypes: a form called `body` would hide `document.body`.
        const of = (name) =>
            Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
        const unread = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE"]);
        const hasText = () => {
            const texts = document.createTreeWalker(of("body") ?? document, NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
                const { data, parentNode } = texts.currentNode;
                if (data.trim() && !unread.has(parentNode.nodeName)) return true;
            }
            return false;
        };
        let timer;
        const finish = () => {
            changes.disconnect();
            arrivals.disconnect();
            done(true);
        };
        const wait = () => {
            clearTimeout(timer);
            timer = setTimeout(() => (hasText() ? finish() : undefined), quiet);
        };
        const changes = new MutationObserver(wait);
        const arrivals = new PerformanceObserver(wait);
        const begin = () => {
            if (of("scripts").length === 0) return done(true);
            changes.observe(document, { subtree: true, childList: true, characterData: true });
            arrivals.observe({ entryTypes: ["resource"] });
            document.addEventListener("crawler-waits", wait);
            setTimeout(finish, most);
            wait();
        };
        if (of("readyState") === "complete") begin();
        else window.addEventListener("load", begin, { once: true });
    })
