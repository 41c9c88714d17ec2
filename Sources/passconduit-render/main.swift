import PassRendering

Renderer.main()
