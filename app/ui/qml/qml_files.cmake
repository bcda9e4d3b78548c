# The QML files of the module Agens, for qt_add_qml_module(... QML_FILES ${AGENS_QML_FILES}).
# Included by app/ui (the program) and tests/ui/qml (the same files over made-up data).
# All files stand in one folder of the module, whatever folder of the source they are in, so that they
# find each other without imports.
set(AGENS_QML_DIR "${CMAKE_CURRENT_LIST_DIR}")
set(AGENS_QML_FILES)
foreach(file
    Main.qml
    ChatPage.qml
    composer/Composer.qml
    composer/Facts.qml
    composer/QueueStrip.qml
    composer/SendButton.qml
    controls/AppMenu.qml
    controls/AppMenuItem.qml
    controls/BranchSwitch.qml
    controls/ChoiceButton.qml
    controls/Chip.qml
    controls/Field.qml
    controls/FocusRing.qml
    controls/Icon.qml
    controls/IconButton.qml
    controls/Popover.qml
    controls/ProgressLine.qml
    controls/PushButton.qml
    controls/Words.qml
    shell/AppearancePopover.qml
    shell/Banner.qml
    shell/ConversationList.qml
    shell/ConversationRow.qml
    shell/EmptyState.qml
    shell/Header.qml
    shell/LinkPopover.qml
    shell/LoadStrip.qml
    shell/ModelButton.qml
    shell/ModelDrop.qml
    shell/ModelPopover.qml
    shell/Sidebar.qml
    shell/Toast.qml
    theme/Theme.qml
    transcript/BlockEdit.qml
    transcript/CodeBlock.qml
    transcript/CodeButton.qml
    transcript/FooterRow.qml
    transcript/MessageEditor.qml
    transcript/NoticeRow.qml
    transcript/PrefillRow.qml
    transcript/RuleBlock.qml
    transcript/TableBlock.qml
    transcript/TextBlock.qml
    transcript/Transcript.qml
    transcript/TranscriptRow.qml
    transcript/UserBubble.qml
    transcript/language_names.js)
  get_filename_component(name "${file}" NAME)
  set_source_files_properties("${AGENS_QML_DIR}/${file}" PROPERTIES QT_RESOURCE_ALIAS "${name}")
  list(APPEND AGENS_QML_FILES "${AGENS_QML_DIR}/${file}")
endforeach()
set_source_files_properties("${AGENS_QML_DIR}/theme/Theme.qml" PROPERTIES QT_QML_SINGLETON_TYPE TRUE)
