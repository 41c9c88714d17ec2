import PassViewer

Viewer.run()
