// The DOM as HTML, and its length in UTF-16 units; no HTML if that exceeds the limit.
//
// The content of open shadow roots and of visible same-origin frames is included in place, as in the
// screenshot. If a script has changed the document's URL, a <base> preserves relative URLs.
(limit) => {
    // Use the prototypes' getters: a form named `body` would shadow `document.body`.
    const getter = (kind, name) => {
        const { get } = Object.getOwnPropertyDescriptor(kind.prototype, name);
        return (node) => get.call(node);
    };
    const shadowOf = getter(Element, "shadowRoot");
    const childrenOf = getter(Node, "childNodes");
    const nameOf = getter(Element, "localName");
    const baseOf = getter(Node, "baseURI");
    const htmlOf = getter(Element, "outerHTML");
    const root = getter(Document, "documentElement")(document);
    if (!root) return { size: 0, html: "" };

    const smallest = 100;
    const frames = { iframe: getter(HTMLIFrameElement, "contentDocument") };
    frames.frame = getter(HTMLFrameElement, "contentDocument");
    const bodyIn = (element) => {
        const inside = frames[nameOf(element)]?.(element);
        if (!inside || Math.min(element.clientWidth, element.clientHeight) < smallest) return null;
        return getter(Document, "body")(inside);
    };
    const places = { frameset: "div", iframe: "div", frame: "div" };
    const paper = document.implementation.createHTMLDocument("");

    // A copy of the tree as rendered, in a document that runs no scripts.
    const copied = (node) => {
        if (node.nodeType !== Node.ELEMENT_NODE) return paper.importNode(node, true);
        const frame = bodyIn(node);
        const name = frame || nameOf(node) === "frameset" ? places[nameOf(node)] : null;
        const copy = name ? paper.createElement(name) : paper.importNode(node, false);
        for (const link of ["href", "src"])
            if (copy.hasAttribute(link) && typeof node[link] === "string")
                copy.setAttribute(link, node[link]);
        let inside = childrenOf(frame ?? shadowOf(node) ?? node);
        if (nameOf(node) === "slot" && node.assignedNodes().length) inside = node.assignedNodes();
        for (const child of inside) copy.append(copied(child));
        return copy;
    };
    const isPlain = () => {
        for (const element of root.querySelectorAll("*"))
            if (shadowOf(element) || bodyIn(element)) return false;
        return true;
    };
    const rendered = () => {
        try {
            return isPlain() ? root : copied(root);
        } catch (error) {
            return root;  // Nested too deeply for the stack, or changed by the page meanwhile.
        }
    };
    const based = (html) => {
        const [visit] = performance.getEntriesByType("navigation");
        const base = baseOf(document);
        const isMoved = visit && visit.name.split("#")[0] !== base.split("#")[0];
        if (!isMoved || root.querySelector("base[href]")) return html;
        const tag = paper.createElement("base");
        tag.href = base;
        return html.replace(/<head[^>]*>/, (head) => head + htmlOf(tag));
    };

    const kind = getter(Document, "doctype")(document);
    const html = (kind ? new XMLSerializer().serializeToString(kind) : "") + based(htmlOf(rendered()));
    return { size: html.length, html: html.length > limit ? "" : html.toWellFormed() };
}
