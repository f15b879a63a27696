import uPlot from 'uplot';
import styleText from 'uplot/dist/uPlot.min.css?inline';

const style = new CSSStyleSheet();
style.replaceSync(styleText);
document.adoptedStyleSheets.push(style);

export default uPlot;
