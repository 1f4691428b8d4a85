// A promise that resolves when the page has settled; times in milliseconds.
//
// A page without scripts has settled when it is loaded. Other pages have settled when there is text
// and, for `quiet` ms, no resource arrived and initial.js reported neither changes nor outstanding
// responses; or `most` ms after loading.
(quiet, most) =>
    new Promise((done) => {
        // Use the prototypes' getters: a form named `body` would shadow `document.body`.
        const of = (name) =>
            Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
        const has = (selector) => Document.prototype.querySelector.call(document, selector) !== null;
        const unread = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE"]);
        const hasText = () => {
            const texts = document.createTreeWalker(of("body") ?? document, NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
                const { data, parentNode } = texts.currentNode;
                if (data.trim() && !unread.has(parentNode.nodeName)) return true;
            }
            return false;
        };
        let [isLoaded, timer] = [false, 0];
        const finish = () => {
            performance.removeEventListener("crawler-waits", wait);
            arrivals.disconnect();
            done(true);
        };
        const wait = () => {
            listen();
            clearTimeout(timer);
            if (isLoaded) timer = setTimeout(() => (hasText() ? finish() : undefined), quiet);
        };
        const begin = () => {
            if (isLoaded) return;
            isLoaded = true;
            if (!has("script, iframe, frame")) return finish();
            arrivals.observe({ entryTypes: ["resource"] });
            setTimeout(finish, most);
            wait();
        };
        // document.open() removes the window's listeners, so they are added again.
        const listen = () => {
            if (of("readyState") === "complete") begin();
            else window.addEventListener("load", begin);
        };
        const arrivals = new PerformanceObserver(wait);
        performance.addEventListener("crawler-waits", wait);
        listen();
    })
