package scan

import "strings"

// roles is the closed list of roles that Chromium's accessibility tree names
// (ui/accessibility/ax_enums.mojom and WAI-ARIA 1.2). A page can put any word
// in a role attribute; the browser maps it to one of these, so another word
// can only come from an extra node named after a custom element. The last two are
// Playwright's words.
var roles = func() map[string]bool {
	m := map[string]bool{"": true}
	for _, r := range strings.Fields(roleNames) {
		m[r] = true
	}
	return m
}()

const roleNames = `
none generic StaticText InlineTextBox RootWebArea WebArea Iframe IframePresentational LineBreak
ListMarker LayoutTable LayoutTableCell LayoutTableRow LayoutTableColumn LabelText Legend Pre
Abbr Ruby RubyAnnotation Figcaption FigureCaption EmbeddedObject PluginObject Canvas Video Audio
ImageMap SvgRoot Section Details DisclosureTriangle DisclosureTriangleGrouped
MenuListOption MenuListPopup ColorWell Date DateTime InputTime Date_time Time EditableRoot
Footer FooterAsNonLandmark Header HeaderAsNonLandmark SectionHeader SectionFooter
DescriptionList DescriptionListDetail DescriptionListTerm TableHeaderContainer Column
MathMLMath MathMLFraction MathMLIdentifier MathMLMultiscripts MathMLNoneScript MathMLNumber
MathMLOperator MathMLOver MathMLPrescriptDelimiter MathMLRoot MathMLRow MathMLSquareRoot
MathMLStringLiteral MathMLSub MathMLSubSup MathMLSup MathMLTable MathMLTableCell MathMLTableRow
MathMLText MathMLUnder MathMLUnderOver PdfRoot PdfActionableHighlight Portal ScrollView Unknown
alert alertdialog application article banner blockquote button caption cell checkbox code
columnheader combobox comment complementary contentinfo definition deletion dialog directory
document emphasis feed figure form grid gridcell group heading image img insertion link list
listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox
menuitemradio meter navigation note option paragraph presentation progressbar radio radiogroup
region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status
strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time
timer toolbar tooltip tree treegrid treeitem
graphics-document graphics-object graphics-symbol sectionheader sectionfooter
doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry
doc-bibliography doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit
doc-credits doc-dedication doc-endnote doc-endnotes doc-epigraph doc-epilogue doc-errata
doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index doc-introduction
doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part
doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc
popUpButton textField checkBox radioButton
iframe img`
